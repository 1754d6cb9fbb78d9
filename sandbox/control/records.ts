import { count } from "../../lib/text.ts";
import type { HttpResponse } from "../api/context.ts";
import { relayFailed } from "../domain/due.ts";
import type { Attachment, LoggedRequest, Membership, Message } from "../domain/records.ts";
import { searchedMessages } from "../domain/retention.ts";
import { decodedSize } from "../domain/sending.ts";
import type { MessagePage, MessageSummary } from "../domain/store.ts";
import { writeTimeOrNull } from "../domain/times.ts";
import {
  accountField,
  ControlError,
  download,
  type Field,
  findAccount,
  findMessage,
  type GatewayServices,
  json,
  type Operation,
} from "./operation.ts";

const pageFields: Record<string, Field> = {
  account: accountField("all accounts"),
  limit: { type: "integer", description: "from 1 to 500; default: 50", minimum: 1, maximum: 500 },
  before: { type: "string", description: "the last id of the previous page" },
};

const search: Field = {
  type: "string",
  description: `a text that the subject or a recipient contains, in upper or lower case; searches ${searchedMessages.toLocaleString("en")} messages`,
  maxLength: 1000,
};

type PageInput = { account?: string } & Partial<Omit<MessagePage, "accountId">>;

interface Records<Item> {
  name: string;
  /** @throws ControlError with 404 for an unknown id */
  findOne(services: GatewayServices, id: string): Promise<unknown>;
  find(query: MessagePage): Promise<Item[]>;
  view(item: Item): unknown;
}

/** One page of records as JSON, newest first. @throws ControlError if `before` is unknown: an empty page would look like the last one */
async function recordPage<Item>(
  services: GatewayServices,
  { account, limit = 50, before, search }: PageInput,
  { name, findOne, find, view }: Records<Item>,
): Promise<HttpResponse> {
  if (before !== undefined) await findOne(services, before);
  const found = await find({
    limit: limit + 1,
    ...(account !== undefined && { accountId: findAccount(services, account).id }),
    ...(before !== undefined && { before }),
    ...(search !== undefined && { search }),
  });
  return json({ [name]: found.slice(0, limit).map(view), has_more: found.length > limit });
}

async function findRequest({ store }: GatewayServices, id: string): Promise<LoggedRequest> {
  const request = await store.loggedRequest(id);
  if (request !== undefined) return request;
  const hint =
    "Requests without a valid key or with an unknown path are not logged. List the others with GET /sandbox/requests.";
  throw ControlError.unknownId("request", id, hint);
}

export const recordOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/outbox",
    summary: "Lists messages, newest first.",
    fields: { ...pageFields, search },
    run: (services, input: PageInput) =>
      recordPage(services, input, {
        name: "messages",
        findOne: findMessage,
        find: (query) => services.store.summaries(query),
        view: messageSummaryView,
      }),
  },
  {
    method: "GET",
    path: "/sandbox/outbox/{id}",
    summary:
      "Returns a message with its recipients, content, attachments, events and warnings. Append `.eml` to the id for the MIME source.",
    async run(services, { id }: { id: string }) {
      if (!id.endsWith(".eml")) return json(messageView(await findMessage(services, id)));
      const message = await findMessage(services, id.slice(0, -".eml".length));
      const { compose } = await import("../mail/compose.ts");
      return download(await compose(message), "message/rfc822", `${message.id}.eml`);
    },
  },
  {
    method: "GET",
    path: "/sandbox/requests",
    summary: "Lists the API requests of the request log, newest first. Bodies and keys are never logged.",
    fields: pageFields,
    run: (services, input: PageInput) =>
      recordPage(services, input, {
        name: "requests",
        findOne: findRequest,
        find: (query) => services.store.loggedRequests(query),
        view: requestView,
      }),
  },
  {
    method: "GET",
    path: "/sandbox/requests/{id}",
    summary: "Returns a logged API request by its request id.",
    run: async (services, { id }: { id: string }) => json(requestView(await findRequest(services, id))),
  },
];

const messageSummaryView = (message: MessageSummary) => ({
  id: message.id,
  account: message.accountId,
  from: message.from,
  to: message.to,
  cc: message.cc,
  bcc: message.bcc,
  subject: message.subject,
  status: message.status,
  created_at: writeTimeOrNull(message.createdAt),
  scheduled_at: writeTimeOrNull(message.scheduledAt),
  sent_at: writeTimeOrNull(message.sentAt),
  eml: `/sandbox/outbox/${encodeURIComponent(message.id)}.eml`,
});

/** A message with everything but the bytes of its attachments, which are in the `.eml`. */
function messageView(message: Message) {
  const { attachments, missingVariables: _, ...content } = message.content;
  return {
    ...messageSummaryView({ ...message, subject: content.subject }),
    delivered_at: writeTimeOrNull(message.deliveredAt),
    bounced_at: writeTimeOrNull(message.bouncedAt),
    complained_at: writeTimeOrNull(message.complainedAt),
    next_due_at: writeTimeOrNull(message.dueAt),
    bounce: message.bounce,
    tags: message.tags,
    ...content,
    attachments: attachments.map(attachmentView),
    warnings: warningsOf(message),
    events: message.events.map((event) => ({ ...event, at: writeTimeOrNull(event.at) })),
  };
}

const attachmentView = (attachment: Attachment) => ({
  filename: attachment.filename,
  content_type: attachment.content_type ?? null,
  content_id: attachment.content_id ?? null,
  ...("path" in attachment ? { path: attachment.path } : { bytes: decodedSize(attachment.content) }),
});

const requestView = (request: LoggedRequest) => ({
  request_id: request.requestId,
  account: request.accountId,
  method: request.method,
  path: request.path,
  status: request.status,
  error_type: request.errorType,
  fields: request.fields,
  at: writeTimeOrNull(request.at),
});

export const membershipView = (email: string, membership: Membership) => ({
  email,
  list_id: membership.listId,
  status: membership.status,
  subscribed_at: writeTimeOrNull(membership.subscribedAt),
  unsubscribed_at: writeTimeOrNull(membership.unsubscribedAt),
});

/** What a sender may not expect in a message, in sentences. */
export function warningsOf({ content, events }: Message): string[] {
  const { missingVariables = [], attachments } = content;
  const warnings: string[] = [];
  for (const { type, detail } of events)
    if (type === relayFailed) warnings.push(`The SMTP server did not accept the message: ${detail}`);
  const names = missingVariables.map((name) => `{{${name}}}`).join(", ");
  if (names !== "")
    warnings.push(`These template variables have no value and were rendered empty: ${names}.`);
  const links = attachments.filter((attachment) => "path" in attachment).length;
  if (links > 0)
    warnings.push(
      `${count(links, "attachment was", "attachments were")} not downloaded: the sandbox runs without --downloads.`,
    );
  return warnings;
}
