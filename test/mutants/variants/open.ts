import { rolesOfMainAccount } from "../../../contract/engine/settings.ts";
import { lifecycles } from "../../../generated/lifecycles.ts";
import { limits } from "../../../generated/limits.ts";
import { accountList } from "../demo.ts";
import { hour } from "../history.ts";
import type { MutantRequest, MutantResponse, Next } from "../mutant.ts";
import {
  changeEveryResponse,
  errorIn,
  errorResponse,
  inObjects,
  isObject,
  isSend,
  type Json,
  pathOf,
  type Variant,
  withError,
} from "./variant.ts";

const otherStatuses: Record<string, number> = {
  "POST /emails/batch": 200,
  "GET /emails/{}": 203,
  "PATCH /emails/{}": 202,
  "DELETE /emails/{}": 202,
  "GET /newsletter/lists": 206,
  "GET /newsletter/fields": 203,
  "GET /newsletter/contacts/{}": 203,
  "POST /newsletter/contacts/{}/unsubscribe": 201,
};

const nameOf = (request: MutantRequest): string => {
  const path = pathOf(request)
    .replace("/api/v1", "")
    .replace(/^(\/emails\/)(?!batch$)[^/]+$/, "$1{}")
    .replace(/^(\/newsletter\/contacts\/)[^/]+/, "$1{}");
  return `${request.method} ${path}`;
};

const isLeaving = (request: MutantRequest): boolean => /^POST .*\/unsubscribe$/.test(nameOf(request));

/** The same error with the other allowed status. */
const otherErrorStatus = (
  title: string,
  from: number,
  to: number,
  isIt: (bearer: string) => boolean,
): Variant => ({
  title,
  intercept: (context) => {
    const restricted = context.bearer("restricted");
    return async (request, next) => {
      const response = await next(request);
      const { authorization = "" } = request.headers;
      const isRejected =
        isSend(request) && response.status === from && errorIn(response)?.type === "send_rejected";
      if (!isRejected || authorization === restricted || !isIt(authorization)) return response;
      return { ...response, status: to };
    };
  },
});

const others = (
  request: MutantRequest,
  next: Next,
  method: string,
  path: string,
): Promise<MutantResponse> => {
  const { "content-type": _, "idempotency-key": __, ...headers } = request.headers;
  return next({ method, path, headers, body: undefined });
};

/** The id of an immediate send as that of a scheduled one. */
const scheduled = (body: unknown): unknown =>
  inObjects(body, (object) =>
    String(object.id).startsWith("msg_") ? { ...object, id: `sched_${object.id}` } : object,
  );

/** A send to the simulated recipient suppressionlist that ends as rejected. */
const rejected = (record: Json): Json => {
  const listed = ([record.to].flat() as unknown[]).some((to) => String(to).startsWith("suppressionlist@"));
  if (!listed || record.status !== "bounced") return record;
  const events = (record.events as Json[]).map((event) =>
    event.type === "bounced" ? { ...event, type: "rejected" } : event,
  );
  return { ...record, status: "rejected", bounced_at: null, bounce: null, events };
};

/** What is kept of a text other than a tag of a message. */
const normalized = (value: unknown): unknown =>
  typeof value === "string" ? value.normalize("NFC").trim() : value;

const withNormalized = (body: Json): Json => ({
  ...body,
  ...Object.fromEntries(
    ["subject", "first_name", "last_name"]
      .filter((name) => name in body)
      .map((name) => [name, normalized(body[name])]),
  ),
  ...(isContactRequest(body) && Array.isArray(body.tags) && { tags: body.tags.map(normalized) }),
  ...(isObject(body.fields) && {
    fields: Object.fromEntries(Object.entries(body.fields).map(([key, value]) => [key, normalized(value)])),
  }),
});

const isContactRequest = (body: Json): boolean => "list_id" in body;

/** Variants in unspecified behaviour. */
export const openVariants: Variant[] = [
  {
    title: "trims texts other than tags of messages, and keeps them in NFC",
    intercept: () => (request, next) => next({ ...request, body: inObjects(request.body, withNormalized) }),
  },
  changeEveryResponse("returns the email addresses of recipients in lower case", (response) => ({
    ...response,
    body: inObjects(response.body, (object) =>
      Array.isArray(object.to)
        ? { ...object, to: object.to.map((one) => String(one).toLowerCase()) }
        : object,
    ),
  })),
  changeEveryResponse("succeeds with other unspecified statuses", (response, request) => {
    const status = otherStatuses[nameOf(request)];
    return response.status < 300 && status !== undefined ? { ...response, status } : response;
  }),
  changeEveryResponse("responds to a reschedule without a body", (response, request) => {
    if (response.status >= 300 || nameOf(request) !== "PATCH /emails/{}") return response;
    const { "content-type": _, ...headers } = response.headers;
    return { ...response, status: 204, headers, body: undefined };
  }),
  {
    title: "checks the key before path and method",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (response.status !== 404 && response.status !== 405) return response;
      const me = await others(request, next, "GET", "/api/v1/me");
      return me.status === 401 ? me : response;
    },
  },
  {
    title: "looks up the object before it validates the body",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (response.status !== 422 || !/\{\}/.test(nameOf(request))) return response;
      const path = pathOf(request).replace(/\/unsubscribe$/, "");
      const found = await others(request, next, "GET", path);
      return found.status === 404 ? found : response;
    },
  },
  {
    title: "checks product and ability in the other order",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (response.status !== 403 || errorIn(response)?.type !== "forbidden") return response;
      const me = await others(request, next, "GET", "/api/v1/me");
      return me.status < 300 ? response : errorResponse(response, 402, "no_plan");
    },
  },
  {
    title: "responds to OPTIONS on every path, and lists HEAD and OPTIONS in Allow",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { allow, "content-type": _, ...headers } = response.headers;
      if (response.status !== 405 || allow === undefined || request.method === "HEAD") return response;
      const more = `${allow}, HEAD, OPTIONS`;
      return request.method === "OPTIONS"
        ? { status: 204, headers: { ...headers, allow: more }, body: undefined }
        : { ...response, headers: { ...response.headers, allow: more } };
    },
  },
  changeEveryResponse("lists cc and bcc in `to` of the response to a send", (response, request) => {
    const { body } = request;
    if (response.status !== 202 || nameOf(request) !== "POST /emails" || !isObject(response.body))
      return response;
    const { suppressed } = response.body;
    if (!isObject(body) || !("to" in response.body)) return response;
    const all = [body.to, body.cc ?? [], body.bcc ?? []].flat();
    const to = all.filter((one) => !(suppressed as unknown[]).includes(one));
    return { ...response, body: { ...response.body, to } };
  }),
  {
    title: "lists cc and bcc in `to` of a message",
    intercept: () => {
      const recipients = new Map<unknown, unknown[]>();
      const keep = (message: unknown, entry: unknown): void => {
        const { to, cc = [], bcc = [] } = message as Json;
        recipients.set((entry as Json).id, [to, cc, bcc].flat());
      };
      return async (request, next) => {
        const response = await next(request);
        if (response.status >= 300 || !isObject(response.body)) return response;
        const { id, data } = response.body;
        const sent = request.body as Json;
        if (nameOf(request) === "POST /emails") keep(sent, response.body);
        if (nameOf(request) === "POST /emails/batch")
          for (const [index, message] of (sent.emails as Json[]).entries())
            keep(message, (data as Json[])[index]);
        const to = recipients.get(id);
        return nameOf(request) === "GET /emails/{}" && to !== undefined
          ? { ...response, body: { ...response.body, to } }
          : response;
      };
    },
  },
  changeEveryResponse("has new event types", (response) => ({
    ...response,
    body: inObjects(response.body, (object) =>
      Array.isArray(object.events)
        ? {
            ...object,
            events: object.events.flatMap((event: Json) => [
              { type: "looked_at", at: event.at, detail: null },
              event,
              { type: "policy.checked", at: event.at, detail: "ok" },
            ]),
          }
        : object,
    ),
  })),
  {
    title: "has new error types if the type is unspecified",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (response.status >= 500 && errorIn(response) !== undefined)
        return withError(response, { type: "upstream_unavailable" });
      const isUnreadable = request.text !== undefined && response.status === 422;
      return isUnreadable && /\/emails/.test(request.path)
        ? errorResponse(response, 400, "unreadable_body")
        : response;
    },
  },
  {
    title: "has other statuses than sent before a message arrives",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { body } = response;
      if (nameOf(request) !== "GET /emails/{}" || !isObject(body) || body.status !== "sent") return response;
      const { unspecified } = lifecycles.message;
      // Each message has one of them, chosen by its id.
      const status =
        unspecified[(request.path.codePointAt(request.path.length - 1) ?? 0) % unspecified.length];
      return { ...response, body: { ...body, status } };
    },
  },
  otherErrorStatus("rejects a domain of another account with 422", 403, 422, () => true),
  {
    ...otherErrorStatus("", 422, 403, () => true),
    title: "rejects a send of an account without a domain with 403",
    intercept: (context) =>
      otherErrorStatus("", 422, 403, (bearer) => bearer === context.bearer("noDomain")).intercept?.(
        context,
      ) ?? ((request, next) => next(request)),
  },
  {
    title: "treats only identical bytes as the same request",
    intercept: () => {
      const bytes = new Map<string, string>();
      return async (request, next) => {
        const response = await next(request);
        const key = request.headers["idempotency-key"];
        if (key === undefined || response.status >= 300) return response;
        const place = `${request.headers.authorization} ${request.path} ${key}`;
        const text = JSON.stringify(request.body);
        const first = bytes.get(place) ?? text;
        if (response.headers["idempotent-replayed"] !== "true") bytes.set(place, text);
        else if (first !== text) return errorResponse(response, 409, "idempotency_conflict");
        return response;
      };
    },
  },
  {
    title: "lets a contact leave a list that it is not on",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { body } = request;
      if (response.status !== 404 || !isLeaving(request) || !isObject(body)) return response;
      const { body: listed } = await others(request, next, "GET", "/api/v1/newsletter/lists");
      // None for a key that may not read them.
      const { lists = [] } = listed as { lists?: Json[] };
      const isOwn = lists.some(({ id }) => id === body.list_id);
      return isOwn ? others(request, next, "GET", pathOf(request).replace(/\/unsubscribe$/, "")) : response;
    },
  },
  {
    title: "moves the time of an unsubscribe that is repeated",
    intercept: ({ now, bearer }) => {
      const times = new Map<string, string>();
      const main = rolesOfMainAccount.map(bearer);
      return async (request, next) => {
        const { authorization = "" } = request.headers;
        const account = main.includes(authorization) ? "main" : authorization;
        const at = new Date(now()).toISOString();
        const response = await next(request);
        if (response.status >= 300 || response.headers["idempotent-replayed"] === "true") return response;
        const left = isLeaving(request) && isObject(request.body) ? request.body.list_id : null;
        const body = inObjects(response.body, (object) => {
          const membership = `${account} ${object.email} ${object.list_id}`;
          if (object.status !== "unsubscribed" || !("list_id" in object)) return object;
          if (left === undefined || left === object.list_id) times.set(membership, at);
          return { ...object, unsubscribed_at: times.get(membership) ?? object.unsubscribed_at };
        });
        return { ...response, body };
      };
    },
  },
  {
    title: "sends a message that is scheduled for a time in the past at once",
    intercept:
      ({ now }) =>
      async (request, next) => {
        const { path, body } = request;
        if (path.startsWith("/api/v1/emails/sched_msg_")) {
          const response = await next({ ...request, path: path.replace("sched_msg_", "msg_") });
          return { ...response, body: scheduled(response.body) };
        }
        const response = await next(request);
        const isRejected = [409, 422].includes(response.status) && nameOf(request) === "POST /emails";
        if (!isRejected || !isObject(body)) return response;
        const { scheduled_at, ...immediate } = body;
        const isTime = /[+-]\d\d:\d\d$|Z$/.test(String(scheduled_at));
        if (!isTime || Date.parse(String(scheduled_at)) >= now()) return response;
        const sent = await next({ ...request, body: immediate });
        if (sent.status >= 300 || !isObject(sent.body)) return response;
        const { to: _, ...entry } = sent.body;
        const at = new Date(String(scheduled_at)).toISOString();
        return { ...sent, body: scheduled({ ...entry, scheduled_at: at }) };
      },
  },
  {
    title: "records the current time for a message that is scheduled for a time in the past",
    intercept: ({ now }) => {
      // The same for a request that is repeated within the window of its idempotency key.
      const recorded = new Map<string, { since: number; time: string }>();
      return (request, next) => {
        const { body, headers } = request;
        if (!isObject(body) || typeof body.scheduled_at !== "string") return next(request);
        const { scheduled_at: asked } = body;
        const isPast = Date.parse(asked) < now();
        const time = isPast ? new Date(now() + 50).toISOString() : asked;
        const { authorization, "idempotency-key": key } = headers;
        const name = `${authorization} ${key} ${asked}`;
        const first = recorded.get(name);
        const isRepeated = first !== undefined && now() - first.since < limits.idempotencyWindow * hour;
        const own = isRepeated ? first : { since: now(), time };
        if (key !== undefined) recorded.set(name, own);
        return next({ ...request, body: { ...body, scheduled_at: own.time } });
      };
    },
  },
  {
    title: "takes the new time of a canceled message, which stays canceled",
    intercept: () => {
      const times = new Map<string, unknown>();
      return async (request, next) => {
        const response = await next(request);
        const { path, body } = request;
        if (nameOf(request) === "PATCH /emails/{}" && response.status === 409 && isObject(body)) {
          const { body: record } = await others(request, next, "GET", path);
          if (!isObject(record) || record.status !== "canceled") return response;
          times.set(path, body.scheduled_at);
          const rateLimit = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "60" };
          return { status: 200, headers: { ...response.headers, ...rateLimit }, body: { id: record.id } };
        }
        const isMoved = nameOf(request) === "GET /emails/{}" && response.status === 200 && times.has(path);
        return isMoved
          ? { ...response, body: { ...(response.body as Json), scheduled_at: times.get(path) } }
          : response;
      };
    },
  },
  {
    title: "responds to concurrent requests in another order",
    intercept: () => {
      let count = 0;
      return async (request, next) => {
        count += 1;
        const response = await next(request);
        for (let turns = (count * 7) % 5; turns > 0; turns -= 1) await new Promise(setImmediate);
        return response;
      };
    },
  },
  {
    title: "differs in small unspecified details",
    intercept: () => async (request, next) => {
      const response = await next(request);
      const type = errorIn(response)?.type;
      const name = nameOf(request);
      if (response.status === 405 && name === "GET /emails/batch")
        return errorResponse(response, 404, "not_found");
      if (response.status === 429 && type === "send_rejected") {
        const { "retry-after": _, ...headers } = response.headers;
        return { ...response, headers };
      }
      if (response.status === 409 && name === "DELETE /emails/{}") {
        const { body } = await others(request, next, "GET", request.path);
        const isCanceled = isObject(body) && body.status === "canceled";
        const rateLimit = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "60" };
        return isCanceled
          ? { status: 200, headers: { ...response.headers, ...rateLimit }, body: { status: "canceled" } }
          : response;
      }
      if (response.status < 300 && name === "GET /me")
        return { ...response, body: { told: Object.entries(response.body as Json).reverse() } };
      if (response.status < 300 && name === "GET /emails/{}" && isObject(response.body))
        return { ...response, body: rejected(response.body) };
      return response;
    },
  },
];

/** Variants in pages of a list of the account API. */
export const pageVariants: Variant[] = [
  {
    title: "returns a full page for a page size above the limit",
    intercept: () => (request, next) =>
      next(
        pathOf(request) === accountList
          ? { ...request, path: request.path.replace("limit=101", "limit=100") }
          : request,
      ),
  },
  changeEveryResponse("has no next_cursor on the last page", (response, request) => {
    const { body } = response;
    if (pathOf(request) !== accountList || !isObject(body) || body.has_more !== false) return response;
    const { next_cursor: _, ...rest } = body;
    return { ...response, body: rest };
  }),
];
