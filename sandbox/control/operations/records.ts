import type { MessagePage } from "../../domain/lists.ts";
import type { LoggedRequest } from "../../domain/records.ts";
import { searchedMessages } from "../../domain/search.ts";
import {
  accountField,
  type Field,
  findAccount,
  findMessage,
  type GatewayServices,
  type Operation,
} from "../operation.ts";
import { ControlError, download, json, type SiteResponse } from "../response.ts";
import { messageSummaryView, messageView, requestView } from "../views.ts";

const pageFields: Record<string, Field> = {
  account: accountField("all accounts"),
  limit: { type: "integer", description: "from 1 to 500; default: 50", minimum: 1, maximum: 500 },
  before: { type: "string", description: "the last id of the previous page" },
};

const search: Field = {
  type: "string",
  description: `a text that the subject or a recipient contains, in any case; searches ${searchedMessages.toLocaleString("en")} messages`,
  maxLength: 1000,
};

type PageInput = {
  account?: string;
  limit?: number;
  before?: string;
  search?: string;
};

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
): Promise<SiteResponse> {
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
  throw new ControlError(
    404,
    `There is no request ${JSON.stringify(id.slice(0, 100))} in the log.`,
    "Requests without a valid key or with an unknown path are not logged. List the others with GET /sandbox/requests.",
  );
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
      const { compose } = await import("../../mail/compose.ts");
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
