import type { Message } from "../domain/records.ts";

/** Who a message goes from and to, as SMTP is told. */
export interface Envelope {
  from: string;
  to: string[];
}

/** Who a message goes from and to, bcc included. Addresses are compared without their case: one mailbox gets one copy. */
export function envelopeOf(message: Pick<Message, "from" | "to" | "cc" | "bcc">): Envelope {
  const everyone = [...message.to, ...message.cc, ...message.bcc];
  const each = new Map(everyone.map((address) => [address.toLowerCase(), address]));
  return { from: message.from, to: [...each.values()] };
}
