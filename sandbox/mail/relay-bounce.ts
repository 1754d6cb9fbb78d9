import type { Bounce } from "../domain/records.ts";
import type { RejectedRecipient } from "../domain/relay.ts";

/** Whether the server rejected a mailbox that does not exist, rather than this message or this sender. */
export function isNoMailbox({ code, reply, alone }: RejectedRecipient): boolean {
  if (!alone) return false;
  const [, detail] = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})/.exec(reply) ?? [];
  return detail === undefined ? code === 550 || code === 553 : /^1\.(1|2|3|6|10)$/.test(detail);
}

/** The bounce record, with the most severe reply. The values of `type` and `subtype` are unspecified. */
export function bounceOf(rejected: RejectedRecipient[]): Bounce {
  const worst = rejected.find(isNoMailbox) ?? rejected.find(({ code }) => code >= 500) ?? rejected[0];
  const { address = "", code = 0, reply = "" } = worst ?? {};
  const diagnostic = reply.replaceAll(/\s+/g, " ").trim().slice(0, 1000);
  if (code < 500) {
    return {
      ...{ type: "transient", subtype: "not_accepted_in_time", permanent: false, diagnostic },
      summary: "The SMTP server did not accept the message in any of the attempts.",
      what_to_do: "Check that the SMTP server is running and accepts mail, then send the message again.",
    };
  }
  const missing = worst !== undefined && isNoMailbox(worst);
  return {
    ...{ type: "permanent", subtype: missing ? "no_such_mailbox" : "rejected", permanent: true, diagnostic },
    summary: missing
      ? `The mailbox ${address} does not exist.`
      : `The SMTP server rejected the message for ${address}.`,
    what_to_do: missing
      ? "Remove the email address, or ask the recipient for a valid one."
      : "Read the reply of the server in the diagnostic.",
  };
}
