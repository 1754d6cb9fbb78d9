import type { Bounce } from "../domain/records.ts";
import type { RejectedRecipient } from "../domain/relay.ts";

/** Whether the server said that there is no such mailbox, rather than that it will not have this message, or anything from here. */
export function isNoMailbox({ code, words, alone }: RejectedRecipient): boolean {
  if (!alone) return false;
  const [, detail] = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})/.exec(words) ?? [];
  return detail === undefined ? code === 550 || code === 553 : /^1\.(1|2|3|6|10)$/.test(detail);
}

/** The bounce record: the worst refusal in the server's own words; the service does not say which types and subtypes there are. */
export function bounceOf(refused: RejectedRecipient[]): Bounce {
  const worst = refused.find(isNoMailbox) ?? refused.find(({ code }) => code >= 500) ?? refused[0];
  const { address = "", code = 0, words = "" } = worst ?? {};
  const diagnostic = words.replaceAll(/\s+/g, " ").trim().slice(0, 1000);
  if (code < 500) {
    return {
      ...{ type: "transient", subtype: "not_accepted_in_time", permanent: false, diagnostic },
      summary: "The SMTP server did not take the message, however often it was tried.",
      what_to_do: "See that the SMTP server runs and takes mail, then send the message again.",
    };
  }
  const missing = worst !== undefined && isNoMailbox(worst);
  return {
    ...{ type: "permanent", subtype: missing ? "no_such_mailbox" : "refused", permanent: true, diagnostic },
    summary: missing
      ? `The mailbox ${address} does not exist.`
      : `The SMTP server refused the message for ${address}.`,
    what_to_do: missing
      ? "Take the address off your records, or ask the person for the right one."
      : "Read the diagnostic: it is what the server said.",
  };
}
