import type { Mutant } from "./mutant.ts";
import { listOf, textOf } from "./newsletter.ts";
import { messagesIn } from "./requests.ts";

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

export const mailCopiesMutants: Mutant[] = [showsHidden("sends the header Bcc", "Bcc")];
