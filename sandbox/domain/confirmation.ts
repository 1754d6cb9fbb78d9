import type { MailRules } from "./due.ts";
import type { Message, NewsletterList, SendingDomain } from "./records.ts";
import { newMessage } from "./sending.ts";

/** The prefix of the ids of confirmation emails: no request to the API sent them, and none finds them. */
export const confirmationPrefix = "confirm_";

/**
 * The confirmation email of double opt-in. The service sends it itself: it does not count towards the quota.
 * @param baseUrl the URL that the pages are below
 */
export function confirmationMail(
  given: {
    id: string;
    email: string;
    list: NewsletterList;
    token: string | null;
    baseUrl: string;
    now: number;
  },
  domains: readonly SendingDomain[],
  rules: MailRules,
): Message {
  const { email, list, now } = given;
  const id = confirmationPrefix + given.id;
  const domain = domains.find(({ state }) => state === "verified")?.name ?? rules.simulatorDomain;
  const recipients = { to: [email], cc: [], bcc: [] };
  const content = {
    subject: `Please confirm: ${list.name}`,
    html: null,
    text: textOf(email, list, given.token ?? "", given.baseUrl),
    reply_to: null,
    headers: {},
    attachments: [],
  };
  const draft = { from: `newsletter@${domain}`, recipients, tags: {}, content, scheduledAt: null };
  const accepted = { id, accountId: list.accountId, now, recipients: { ...recipients, suppressed: [] } };
  return newMessage(draft, accepted, rules);
}

export const confirmationPage = "/confirm";

/** The link in the text of a confirmation email: its URL, and its path with the query. */
export const confirmationLink = /https?:\/\/\S+?(\/confirm\?\S+)/;

const textOf = (email: string, list: NewsletterList, token: string, baseUrl: string): string =>
  [
    `Someone asked for ${list.name} to be sent to ${email}.`,
    "If it was you, please confirm. If not, do nothing, and nothing is sent.",
    "",
    `${baseUrl}${confirmationPage}?${new URLSearchParams({ list_id: String(list.id), email, token })}`,
    "",
    `In this sandbox, the button on the page ${baseUrl}/contacts confirms too, and the request`,
    `POST ${baseUrl}/sandbox/confirm ${JSON.stringify({ email, list_id: list.id })}`,
    "",
  ].join("\n");
