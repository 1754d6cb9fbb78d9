import type { FaultAnswer, FaultRequest, Next } from "../fault.ts";
import {
  errorIn,
  inEveryAnswer,
  inObjects,
  isObject,
  isSend,
  type Json,
  pathOf,
  type Variant,
  withError,
} from "./variant.ts";

/** A refusal of the server itself, with its request id. */
const refused = (answer: FaultAnswer, status: number, type: string): FaultAnswer => {
  const { allow: _, ...headers } = answer.headers;
  const request_id = headers["x-service-request-id"];
  const body = { error: { type, message: "No.", request_id } };
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
};

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

const nameOf = (request: FaultRequest): string => {
  const path = pathOf(request)
    .replace("/api/v1", "")
    .replace(/^(\/emails\/)(?!batch$)[^/]+$/, "$1{}")
    .replace(/^(\/newsletter\/contacts\/)[^/]+/, "$1{}");
  return `${request.method} ${path}`;
};

/** The same domain refused with another of the two statuses that the service's words allow. */
const otherRefusal = (
  title: string,
  from: number,
  to: number,
  isIt: (bearer: string) => boolean,
): Variant => ({
  title,
  between: (surroundings) => {
    const restricted = surroundings.bearer("restricted");
    return async (request, next) => {
      const answer = await next(request);
      const { authorization = "" } = request.headers;
      const isRejected =
        isSend(request) && answer.status === from && errorIn(answer)?.type === "send_rejected";
      if (!isRejected || authorization === restricted || !isIt(authorization)) return answer;
      return { ...answer, status: to };
    };
  },
});

const others = (request: FaultRequest, next: Next, method: string, path: string): Promise<FaultAnswer> => {
  const { "content-type": _, "idempotency-key": __, ...headers } = request.headers;
  return next({ method, path, headers, body: undefined });
};

/** A send to the simulated recipient on a block list that ends as rejected. */
const rejected = (record: Json): Json => {
  const listed = ([record.to].flat() as unknown[]).some((to) => String(to).startsWith("suppressionlist@"));
  if (!listed || record.status !== "bounced") return record;
  const events = (record.events as Json[]).map((event) =>
    event.type === "bounced" ? { ...event, type: "rejected" } : event,
  );
  return { ...record, status: "rejected", bounced_at: null, bounce: null, events };
};

/** Variants that choose otherwise where the service leaves something open. */
export const openVariants: Variant[] = [
  inEveryAnswer("succeeds with other statuses where none is promised", (answer, request) => {
    const status = otherStatuses[nameOf(request)];
    return answer.status < 300 && status !== undefined ? { ...answer, status } : answer;
  }),
  {
    title: "looks at the key before the address and the method",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (answer.status !== 404 && answer.status !== 405) return answer;
      const me = await others(request, next, "GET", "/api/v1/me");
      return me.status === 401 ? me : answer;
    },
  },
  {
    title: "looks for the object before it reads the body",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (answer.status !== 422 || !/\{\}/.test(nameOf(request))) return answer;
      const path = pathOf(request).replace(/\/unsubscribe$/, "");
      const found = await others(request, next, "GET", path);
      return found.status === 404 ? found : answer;
    },
  },
  {
    title: "looks at the product before the ability, and the other way round",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (answer.status !== 403 || errorIn(answer)?.type !== "forbidden") return answer;
      const me = await others(request, next, "GET", "/api/v1/me");
      return me.status < 300 ? answer : refused(answer, 402, "no_plan");
    },
  },
  inEveryAnswer("has events of types that are new", (answer) => ({
    ...answer,
    body: inObjects(answer.body, (object) =>
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
    title: "has error types that are new, for failures whose type is open",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (answer.status >= 500 && errorIn(answer) !== undefined)
        return withError(answer, { type: "upstream_unavailable" });
      const isUnreadable = request.text !== undefined && answer.status === 422;
      return isUnreadable && /\/emails/.test(request.path) ? refused(answer, 400, "unreadable_body") : answer;
    },
  },
  otherRefusal("refuses a domain that is not the account's with 422", 403, 422, () => true),
  {
    ...otherRefusal("", 422, 403, () => true),
    title: "refuses a send of an account without any domain with 403",
    between: (surroundings) =>
      otherRefusal("", 422, 403, (bearer) => bearer === surroundings.bearer("noDomain")).between?.(
        surroundings,
      ) ?? ((request, next) => next(request)),
  },
  {
    title: "takes a request for the same only when its bytes are",
    between: () => {
      const bytes = new Map<string, string>();
      return async (request, next) => {
        const answer = await next(request);
        const key = request.headers["idempotency-key"];
        if (key === undefined || answer.status >= 300) return answer;
        const place = `${request.headers.authorization} ${request.path} ${key}`;
        const text = JSON.stringify(request.body);
        const first = bytes.get(place) ?? text;
        if (answer.headers["idempotent-replayed"] !== "true") bytes.set(place, text);
        else if (first !== text) return refused(answer, 409, "idempotency_conflict");
        return answer;
      };
    },
  },
  {
    title: "answers in another order than it was asked in",
    between: () => {
      let count = 0;
      return async (request, next) => {
        count += 1;
        const answer = await next(request);
        for (let turns = (count * 7) % 5; turns > 0; turns -= 1) await new Promise(setImmediate);
        return answer;
      };
    },
  },
  {
    title: "chooses otherwise in small things that are left open",
    between: () => async (request, next) => {
      const answer = await next(request);
      const type = errorIn(answer)?.type;
      const name = nameOf(request);
      if (answer.status === 405 && name === "GET /emails/batch") return refused(answer, 404, "not_found");
      if (answer.status === 429 && type === "send_rejected") {
        const { "retry-after": _, ...headers } = answer.headers;
        return { ...answer, headers };
      }
      if (answer.status === 409 && name === "DELETE /emails/{}") {
        const { body } = await others(request, next, "GET", request.path);
        const isCanceled = isObject(body) && body.status === "canceled";
        const budget = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "60" };
        return isCanceled
          ? { status: 200, headers: { ...answer.headers, ...budget }, body: { status: "canceled" } }
          : answer;
      }
      if (answer.status < 300 && name === "GET /me")
        return { ...answer, body: { told: Object.entries(answer.body as Json).reverse() } };
      if (answer.status < 300 && name === "GET /emails/{}" && isObject(answer.body))
        return { ...answer, body: rejected(answer.body) };
      return answer;
    },
  },
];
