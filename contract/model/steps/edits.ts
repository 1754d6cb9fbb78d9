import { limits } from "../../../generated/limits.ts";
import type { Fixtures } from "../../engine/settings.ts";
import { entriesIn, type Json } from "../state.ts";

/** What an edit needs: the fixtures, and email addresses that nothing was sent to before (none without a domain for them). */
interface Source {
  fixtures: Fixtures;
  newEmails(count: number): string[];
}
/** The properties that an edit changes; undefined removes one. */
type Change = Json | ((message: Json, source: Source) => Json);

/** Not for a message from a template. */
const ofContent =
  (changes: Json): Change =>
  ({ template_id }) =>
    template_id === undefined ? changes : {};
/** Sent from one of the domains of the fixtures, if it is configured. */
const from =
  (domainOf: (domains: NonNullable<Fixtures["domains"]>) => string | undefined): Change =>
  (_, { fixtures: { domains = {} } }) => {
    const domain = domainOf(domains);
    return domain === undefined ? {} : { from: `contract@${domain}` };
  };
const recipients =
  (count: number, ...fields: ("to" | "cc" | "bcc")[]): Change =>
  (_, { newEmails }) => {
    const lists = fields.map((field) => [field, newEmails(count)] as const);
    return lists.some(([, emails]) => emails.length === 0) ? {} : Object.fromEntries(lists);
  };
const withInvalid =
  (field: "to" | "cc" | "bcc"): Change =>
  (message) => ({ [field]: [...entriesIn<string>(message[field]), "not an address"] });
const pairs = (count: number, name: string): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "1042"]));

const ofMessages = {
  "header and reply_to": { headers: { "X-Order": "1042" }, reply_to: "reply@example.com" },
  "list headers": {
    headers: { "List-Unsubscribe": "<https://example.com/u>", "List-Unsubscribe-Post": "x" },
  },
  "from the restricted domain": from(({ restricted }) => restricted),
  "from a domain with unfinished verification": from(({ unfinished }) => unfinished),
  "from a stopped domain": from(({ stopped }) => stopped),
  "from a domain of another account": from(({ ofRole }) => ofRole?.otherAccount),
  "from an unknown domain": from(() => "contract-suite.example"),
  "no from": { from: undefined },
  "a display name in from": (message: Json) => ({ from: `Ada <${message.from}>` }),
  "no to": { to: undefined },
  "to as a text": (message: Json) => ({ to: String(message.to) }),
  "50 in to": recipients(limits.recipientsPerField, "to"),
  "50 in cc": recipients(limits.recipientsPerField, "cc"),
  "50 in each": recipients(limits.recipientsPerField, "to", "cc", "bcc"),
  "51 in to": recipients(limits.recipientsPerField + 1, "to"),
  "51 in cc": recipients(limits.recipientsPerField + 1, "cc"),
  "51 in bcc": recipients(limits.recipientsPerField + 1, "bcc"),
  "invalid in to": withInvalid("to"),
  "invalid in cc": withInvalid("cc"),
  "invalid in bcc": withInvalid("bcc"),
  "no subject": { subject: undefined },
  "longest subject": ofContent({ subject: "é".repeat(limits.subjectLength) }),
  "longer subject": ofContent({ subject: "s".repeat(limits.subjectLength + 1) }),
  "no content": { html: undefined, text: undefined, template_id: undefined, variables: undefined },
  "unknown template": {
    ...{ html: undefined, text: undefined, subject: undefined },
    ...{ template_id: "no-such-template", variables: {} },
  },
  "invalid reply_to": { reply_to: "not an address" },
  "20 tags": { tags: pairs(limits.messageTags, "tag-") },
  "21 tags": { tags: pairs(limits.messageTags + 1, "tag-") },
  "longest tag": { tags: { order: "1042", note: "é".repeat(limits.messageTagValueLength) } },
  "longer tag": { tags: { order: "1042", note: "1".repeat(limits.messageTagValueLength + 1) } },
  "invalid tag name": { tags: { order: "1042", "order id": "1042" } },
  "a number in tags": { tags: { order: "1042", count: 3 } },
  "10 headers": { headers: pairs(limits.extraHeaders, "X-Note-") },
  "11 headers": { headers: pairs(limits.extraHeaders + 1, "X-Note-") },
  "invalid header name": { headers: { "X-Order": "1042", "Reply-To": "ada@example.com" } },
  "line break in a header": { headers: { "X-Order": "1042", "X-Note": "one\r\nanother" } },
  "no subject and an invalid tag name": { subject: undefined, tags: { "order id": "1042" } },
} satisfies Record<string, Change>;

const file: Json = { filename: "file.txt", content: "QQ==", content_type: "text/plain" };
const image: Json = { filename: "image.png", content: "QQ==", content_id: "image" };
const invalidFiles: Record<string, Json> = {
  "without a filename": { content: "QQ==" },
  "without content and path": { filename: "file.txt" },
  "with content that is not base64": { filename: "file.txt", content: "%%" },
  "with an http link": { filename: "terms.pdf", path: "http://files.example.com/terms.pdf" },
  "with a private link": { filename: "terms.pdf", path: "https://10.0.0.1/terms.pdf" },
};
/** Attachments; a link is that of the fixtures, if it is configured. */
const attached =
  (count: number, ...kinds: (Json | "link")[]): Change =>
  (_, { fixtures: { attachmentLink: path } }) => ({
    attachments: Array.from({ length: count }, (_, index) => {
      const kind = kinds[index % kinds.length] ?? file;
      return kind === "link" ? (path === undefined ? file : { filename: "terms.pdf", path }) : kind;
    }),
  });

const ofAttachments: Record<string, Change> = {
  attachment: attached(1, file),
  "equal filenames": attached(2, file, file),
  link: attached(1, "link"),
  "inline image": attached(1, image),
  "all kinds": attached(4, file, "link", image, image),
  "20 attachments": attached(limits.attachments, file, image),
  "20 attachments and links": attached(limits.attachments, file, "link"),
  "21 attachments": attached(limits.attachments + 1, file),
  "21 attachments and images": attached(limits.attachments + 1, file, image),
  "21 attachments and links": attached(limits.attachments + 1, file, "link"),
  ...Object.fromEntries(
    Object.entries(invalidFiles).flatMap(([title, one]) => [
      [`an attachment ${title}`, attached(1, one)],
      [`a second attachment ${title}`, attached(2, file, one)],
      [`an inline image ${title}`, attached(1, { ...one, content_id: "image" })],
    ]),
  ),
};

const edits: Record<string, Change> = {
  ...ofMessages,
  ...ofAttachments,
  "a time without an offset": (message) => ({
    scheduled_at: String(message.scheduled_at).replace(/([+-]\d\d:\d\d)$/, ""),
  }),
  "a time in a batch": { scheduled_at: "2099-01-01T00:00:00Z" },
};

/** Those of immediate and scheduled sends, and of the messages of a batch. */
export const editsOfSend: string[] = Object.keys({ ...ofMessages, ...ofAttachments });
export const editsOfScheduled: string[] = [...editsOfSend, "a time without an offset"];
export const editsInBatch: string[] = [...Object.keys(ofMessages), "attachment", "a time in a batch"];

/** A message with properties at or beyond a limit, or other than usual. */
export function edited(message: Json, edit: string | null, source: Source): Json {
  const change = edits[edit ?? ""] ?? {};
  return { ...message, ...(typeof change === "function" ? change(message, source) : change) };
}
