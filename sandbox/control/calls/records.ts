import { accountOf, messageOf } from "../actions.ts";
import { ControlRefusal, download, json } from "../answer.ts";
import type { ControlCall } from "../call.ts";
import type { GatewayServices } from "../parts.ts";
import { callLine, messageLine, wholeMessage } from "../shapes.ts";

const usual = 50;
const most = 500;

/** What a list call asks for: `?account=`, `?limit=` and `?before=`, the id that the page before ended with. */
function pageOf(parts: GatewayServices, query: URLSearchParams) {
  const account = query.get("account");
  const before = query.get("before");
  const limit = Number(query.get("limit") ?? usual);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new ControlRefusal(422, "`limit` is not a whole number.", `Ask for 1 to ${most}: ?limit=${usual}.`);
  return {
    limit,
    ...(account === null ? {} : { accountId: accountOf(parts, account).id }),
    ...(before === null ? {} : { before }),
  };
}

/** Calls about what happened. */
export const recordCalls: ControlCall[] = [
  {
    method: "GET",
    path: "/sandbox/outbox",
    does: "Lists the messages, the newest first. Takes `?account=`, `?limit=` (50) and `?before=`, the id that the last page ended with.",
    run: async (parts, { query }) => {
      const page = pageOf(parts, query);
      const found = await parts.store.summaries({ ...page, limit: page.limit + 1 });
      return json({
        messages: found.slice(0, page.limit).map(messageLine),
        has_more: found.length > page.limit,
      });
    },
  },
  {
    method: "GET",
    path: "/sandbox/outbox/{id}",
    does: "Shows a message: recipients, texts, attachments, history, and notes where it is not what may have been meant. With `.eml` after the id, the message as it goes over the wire.",
    run: async (parts, { id }) => {
      if (!id.endsWith(".eml")) return json(wholeMessage(await messageOf(parts, id)));
      const message = await messageOf(parts, id.slice(0, -".eml".length));
      return download(await parts.outbox.eml(message), "message/rfc822", `${message.id}.eml`);
    },
  },
  {
    method: "GET",
    path: "/sandbox/calls",
    does: "Lists the calls of the API, the newest first. Takes the same parameters; never a body, never a key.",
    run: async (parts, { query }) => {
      const page = pageOf(parts, query);
      const found = await parts.store.loggedRequests({ ...page, limit: page.limit + 1 });
      return json({ calls: found.slice(0, page.limit).map(callLine), has_more: found.length > page.limit });
    },
  },
  {
    method: "GET",
    path: "/sandbox/calls/{id}",
    does: "Shows a call by its request id.",
    run: async (parts, { id }) => {
      const call = await parts.store.loggedRequest(id);
      if (call !== undefined) return json(callLine(call));
      throw new ControlRefusal(
        404,
        `There is no call ${JSON.stringify(id.slice(0, 100))}.`,
        "Calls that belong to no account or no address are not kept. GET /sandbox/calls lists the others.",
      );
    },
  },
];
