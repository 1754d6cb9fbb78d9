import type { Message } from "../domain/records.ts";
import { compose } from "./compose.ts";
import { type MessageView, viewMessage } from "./view.ts";

/** Who a message goes from and to, as SMTP is told. */
export interface Envelope {
  from: string;
  to: string[];
}

/** Messages as they go out. */
export interface Outbox {
  /** The message as MIME, the same bytes each time. */
  eml(message: Message): Promise<Uint8Array>;
  /** Everyone it goes to, bcc and simulator addresses included, each once. */
  envelope(message: Message): Envelope;
  /** The message as a mail program would show it. */
  view(message: Message): MessageView;
}

/** Shows messages as they go out. Nothing is kept: what a message is made of is in its record. */
export function createOutbox(): Outbox {
  return { eml: compose, envelope: envelopeOf, view: viewMessage };
}

/** Who a message goes from and to. Addresses are compared without their case: one mailbox gets one copy. */
export function envelopeOf(message: Pick<Message, "from" | "to" | "cc" | "bcc">): Envelope {
  const everyone = [...message.to, ...message.cc, ...message.bcc];
  const each = new Map(everyone.map((address) => [address.toLowerCase(), address]));
  return { from: message.from, to: [...each.values()] };
}
