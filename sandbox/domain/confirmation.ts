import type { MailRules } from "./due.ts";
import { newMessage } from "./new-message.ts";
import type { Message, NewsletterList, SendingDomain } from "./records.ts";

/** What the ids of confirmation mails begin with: no call of the API sent them, and none finds them. */
export const confirmationPrefix = "confirm_";

/** What a confirmation mail is made from. */
export interface Confirmation {
  id: string;
  email: string;
  list: NewsletterList;
  domains: readonly SendingDomain[];
  now: number;
}

/** The mail that asks a new contact whether it really wants to be on a list. It is the service's own: it counts towards no allowance. */
export function confirmationMail({ id, email, list, domains, now }: Confirmation, rules: MailRules): Message {
  const domain = domains.find(({ state }) => state === "verified")?.name ?? rules.simulatorDomain;
  const recipients = { to: [email], cc: [], bcc: [] };
  const content = {
    subject: `Please confirm: ${list.name}`,
    html: null,
    text: textOf(email, list),
    reply_to: null,
    headers: {},
    attachments: [],
  };
  const draft = { from: `newsletter@${domain}`, recipients, tags: {}, content, scheduledAt: null };
  const taking = { id, accountId: list.accountId, now, recipients: { ...recipients, suppressed: [] } };
  return newMessage(draft, taking, rules);
}

/** Where a real mail has its link, this one says how the click is made in the sandbox. */
const textOf = (email: string, list: NewsletterList): string =>
  [
    `Somebody asked for ${list.name} to be sent to ${email}.`,
    "Was it you? Then confirm it; otherwise do nothing, and nothing is sent.",
    "",
    "In this sandbox you confirm with the button on the page /contacts, or with the call",
    `POST /sandbox/confirm ${JSON.stringify({ email, list_id: list.id })}`,
    "",
  ].join("\n");
