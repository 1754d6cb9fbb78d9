import type { Message } from "../domain/records.ts";

/** The sender and recipients of a message, as in SMTP. */
export interface Envelope {
  from: string;
  to: string[];
}

/** The envelope of a message, with all recipients of `to`, `cc` and `bcc`. Duplicates that differ in case only are removed. */
export function envelopeOf(message: Pick<Message, "from" | "to" | "cc" | "bcc">): Envelope {
  const recipients = [...message.to, ...message.cc, ...message.bcc];
  const unique = new Map(recipients.map((address) => [address.toLowerCase(), address]));
  return { from: message.from, to: [...unique.values()] };
}
