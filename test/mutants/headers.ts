import { isBatch, isCancel, isMessageLookup, isReschedule, isSend } from "./email.ts";
import { withPast } from "./history.ts";
import {
  type Applies,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
} from "./mutant.ts";
import { isSuccess, isUpsert, type Json, listOf, objectOf } from "./newsletter.ts";
import { isError, withError, withHeaders } from "./requests.ts";
import { isReplay } from "./same-key.ts";
import { isFromOne } from "./unsubscribe.ts";

const id = "x-service-request-id";
const limit = "x-ratelimit-limit";
const left = "x-ratelimit-remaining";

type IsMeant = (response: MutantResponse, request: MutantRequest) => boolean;

/** Changes or removes a header. */
const inHeader = (
  requirement: Mutant["requirement"],
  title: string,
  name: string,
  change: (value: string) => string | undefined,
  applies: IsMeant = () => true,
): Mutant =>
  changeResponses(requirement, title, (response, request) => {
    const value = response.headers[name];
    return value === undefined || !applies(response, request)
      ? undefined
      : withHeaders(response, { [name]: change(value) });
  });

export const ofRequestId: Mutant[] = [
  {
    requirement: "HEAD-1",
    title: "the request id is in X-Request-Id",
    intercept: () => async (request, next) => {
      const response = await next(request);
      return isSuccess(response)
        ? withHeaders(response, { [id]: undefined, "x-request-id": response.headers[id] })
        : response;
    },
  },
  {
    requirement: "HEAD-2",
    title: "a replay has the request id of the original response",
    intercept: () => {
      const ids = new Map<string, string>();
      return async (request, next) => {
        const response = await next(request);
        const key = request.headers["idempotency-key"];
        const own = response.headers[id];
        if (key === undefined || own === undefined) return response;
        const name = `${request.path} ${key}`;
        if (response.headers["idempotent-replayed"] === "true")
          return withHeaders(response, { [id]: ids.get(name) ?? own });
        ids.set(name, own);
        return response;
      };
    },
  },
];

export const ofRequests: Mutant[] = [
  inHeader("HEAD-6", "the rate limit is per hour", limit, (value) => String(60 * Number(value))),
  inHeader("HEAD-7", "the used requests are reported instead of the remaining ones", left, (value) =>
    String(100_000 - Number(value)),
  ),
];

/** Errors of one operation, as in titles. */
const errors: [string, number, string, Applies][] = [
  ["a late cancellation", 409, "not_cancellable", isCancel],
  ["a late reschedule", 409, "not_reschedulable", isReschedule],
  ["a conflict of a batch", 409, "idempotency_conflict", isBatch],
  ["a conflict of a contact", 409, "idempotency_conflict", isUpsert],
  ["an invalid batch", 422, "invalid_request", isBatch],
  ["a send to suppressed recipients", 422, "send_rejected", isSend],
];

export const ofErrors: Mutant[] = errors.flatMap(([what, status, type, applies]) => {
  const fault = (
    requirement: RequirementId,
    title: string,
    change: (response: MutantResponse) => MutantResponse,
  ): Mutant =>
    changeResponses(requirement, title, (response, request) =>
      applies(request) && isError(response, status, type) ? change(response) : undefined,
    );
  return [
    fault("HEAD-1", `the response to ${what} has no request id header`, (response) =>
      withHeaders(response, { "x-service-request-id": undefined }),
    ),
    fault("ERR-5", `the response to ${what} has two request ids`, (response) =>
      withError(response, { request_id: `${response.headers["x-service-request-id"]}2` }),
    ),
  ];
});

/** Successes without some headers. */
const lacks = (
  requirement: RequirementId,
  what: string,
  header: string,
  which: (request: MutantRequest, response: MutantResponse) => boolean,
): Mutant =>
  changeResponses(requirement, `the response to ${what} has no ${header}`, (response, request) =>
    isSuccess(response) && which(request, response)
      ? withHeaders(response, { [header.toLowerCase()]: undefined })
      : undefined,
  );

const head3 = ["HEAD-3", "X-Service-Monthly-Quota"] as const;
const head4 = ["HEAD-4", "X-Service-Monthly-Remaining"] as const;
const head6 = ["HEAD-6", "X-RateLimit-Limit"] as const;
const head7 = ["HEAD-7", "X-RateLimit-Remaining"] as const;

const successes: [
  string,
  readonly (readonly [RequirementId, string])[],
  (request: MutantRequest, response: MutantResponse) => boolean,
][] = [
  [
    "a send with suppressed recipients",
    [head3, head4],
    (request, { body }) => isSend(request) && listOf(objectOf(body).suppressed).length > 0,
  ],
  [
    "a send with an attachment",
    [head3, head4],
    (request) => isSend(request) && "attachments" in objectOf(request.body),
  ],
  [
    "a batch of several messages",
    [head3, head4],
    (request, { body }) => isBatch(request) && listOf(objectOf(body).data).length > 1,
  ],
  ["a reschedule", [head6, head7], isReschedule],
  ["an update of a contact", [head6, head7], (request, { status }) => isUpsert(request) && status === 200],
  ["unsubscribing from one list", [head6, head7], isFromOne],
];

export const ofSuccesses: Mutant[] = successes.flatMap(([what, headers, which]) =>
  headers.map(([requirement, header]) => lacks(requirement, what, header, which)),
);

const inZone = (value: unknown): unknown =>
  typeof value === "string"
    ? `${new Date(Date.parse(value) + 3_600_000).toISOString().slice(0, 19)}+01:00`
    : value;

/** A time that is not in UTC in one place only. */
const zoned = (title: string, applies: Applies, change: (body: Json) => Json): Mutant =>
  changeResponses("GEN-7", title, (response, request) =>
    applies(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body)) }
      : undefined,
  );

export const ofTimes: Mutant[] = [
  ...["bounced_at", "complained_at"].map((name) =>
    zoned(`${name} is not in UTC`, isMessageLookup, (record) => ({
      ...record,
      [name]: inZone(record[name]),
    })),
  ),
];

export const ofIds: Mutant[] = [
  withPast(
    "HEAD-2",
    "all replays after the first one have the same request id",
    async (request, next, { history }) => {
      const response = await next(request);
      const { replays = 0, response: first } = history.keyedOf(request) ?? {};
      return isReplay(response) && replays > 1 && first
        ? withHeaders(response, { "x-service-request-id": `${first.headers["x-service-request-id"]}_replay` })
        : response;
    },
  ),
  changeResponses("HEAD-10", "Allow of an unsubscribe is GET", (response, request) =>
    response.status === 405 && request.path.endsWith("/unsubscribe")
      ? withHeaders(response, { allow: "GET" })
      : undefined,
  ),
];
