import { changeMessages } from "./mail.ts";
import type { Mutant } from "./mutant.ts";
import { type Json, listOf, textOf, without } from "./newsletter.ts";
import { messagesIn } from "./requests.ts";

const joined = (one: unknown, other: unknown): unknown[] => [...listOf(one), ...listOf(other)];

/** Shows the recipients in bcc to all others in a header of the mail. */
function showsHidden(title: string, header: string): Mutant {
  const hidden = new Map<string, string>();
  return {
    requirement: "SEND-19",
    title,
    intercept: () => (request, next) => {
      for (const { subject, bcc } of messagesIn(request))
        if (listOf(bcc).length > 0) hidden.set(textOf(subject), listOf(bcc).map(String).join(", "));
      return next(request);
    },
    deliver: (mime) => {
      const [, recipients] = [...hidden].find(([subject]) => mime.includes(`Subject: ${subject}\r\n`)) ?? [];
      return recipients === undefined ? mime : `${header}: ${recipients}\r\n${mime}`;
    },
  };
}

const onlyFirst = (message: Json, name: "cc" | "bcc"): Json =>
  name in message ? { ...message, [name]: listOf(message[name]).slice(0, 1) } : message;

export const mailCopiesMutants: Mutant[] = [
  changeMessages("SEND-18", "sends no copy to cc", (message) => without(message, "cc")),
  changeMessages("SEND-18", "sends a copy to the first of cc only", (message) => onlyFirst(message, "cc")),
  changeMessages("SEND-18", "hides cc", ({ cc, ...message }) => ({
    ...message,
    bcc: joined(message.bcc, cc),
  })),
  changeMessages("SEND-19", "sends no copy to bcc", (message) => without(message, "bcc")),
  changeMessages("SEND-19", "sends a copy to the first of bcc only", (message) => onlyFirst(message, "bcc")),
  changeMessages("SEND-19", "shows bcc as cc", ({ bcc, ...message }) => ({
    ...message,
    cc: joined(message.cc, bcc),
  })),
  changeMessages("SEND-19", "shows bcc as to", ({ bcc, ...message }) => ({
    ...message,
    to: joined(message.to, bcc),
  })),
  showsHidden("sends the header Bcc", "Bcc"),
  showsHidden("lists all recipients in a header of its own", "X-Envelope-To"),
];
