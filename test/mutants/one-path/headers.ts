import { isBatch, isCancel, isMessageLookup, isReschedule, isSend } from "../email.ts";
import { withPast } from "../history.ts";
import {
  type Applies,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
} from "../mutant.ts";
import { isSuccess, isUpsert, type Json, listOf, objectOf } from "../newsletter.ts";
import { isError, withError, withHeaders } from "../requests.ts";
import { isReplay } from "../same-key.ts";
import { isFromOne } from "../unsubscribe-support.ts";

/** Errors of one operation, as in titles. */
const errors: [string, number, string, Applies][] = [
  ["a late cancellation", 409, "not_cancellable", isCancel],
  ["a late reschedule", 409, "not_reschedulable", isReschedule],
  ["a conflict of a batch", 409, "idempotency_conflict", isBatch],
  ["a conflict of a contact", 409, "idempotency_conflict", isUpsert],
  ["an invalid batch", 422, "invalid_request", isBatch],
  ["a send to suppressed recipients", 422, "send_rejected", isSend],
];

const ofErrors: Mutant[] = errors.flatMap(([what, status, type, applies]) => {
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

const quota = ["HEAD-3", "X-Service-Monthly-Quota"] as const;
const allowance = ["HEAD-4", "X-Service-Monthly-Remaining"] as const;
const limit = ["HEAD-6", "X-RateLimit-Limit"] as const;
const left = ["HEAD-7", "X-RateLimit-Remaining"] as const;

const successes: [
  string,
  readonly (readonly [RequirementId, string])[],
  (request: MutantRequest, response: MutantResponse) => boolean,
][] = [
  [
    "a send with suppressed recipients",
    [quota, allowance],
    (request, { body }) => isSend(request) && listOf(objectOf(body).suppressed).length > 0,
  ],
  [
    "a send with an attachment",
    [quota, allowance],
    (request) => isSend(request) && "attachments" in objectOf(request.body),
  ],
  [
    "a batch of several messages",
    [quota, allowance],
    (request, { body }) => isBatch(request) && listOf(objectOf(body).data).length > 1,
  ],
  ["a reschedule", [limit, left], isReschedule],
  ["an update of a contact", [limit, left], (request, { status }) => isUpsert(request) && status === 200],
  ["unsubscribing from one list", [limit, left], isFromOne],
];

const ofSuccesses: Mutant[] = successes.flatMap(([what, headers, which]) =>
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

const ofTimes: Mutant[] = [
  ...["bounced_at", "complained_at"].map((name) =>
    zoned(`${name} is not in UTC`, isMessageLookup, (record) => ({
      ...record,
      [name]: inZone(record[name]),
    })),
  ),
];

const ofIds: Mutant[] = [
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
  changeResponses("HEAD-5", "a reschedule reports the quota", (response, request) =>
    isReschedule(request) && isSuccess(response)
      ? withHeaders(response, { "x-service-monthly-quota": "50000" })
      : undefined,
  ),
  changeResponses("HEAD-5", "unsubscribing from one list reports the quota", (response, request) =>
    isFromOne(request) && isSuccess(response)
      ? withHeaders(response, { "x-service-monthly-remaining": "400" })
      : undefined,
  ),
  changeResponses("HEAD-10", "Allow of an unsubscribe is GET", (response, request) =>
    response.status === 405 && request.path.endsWith("/unsubscribe")
      ? withHeaders(response, { allow: "GET" })
      : undefined,
  ),
];

/** Headers and times that are wrong only on some paths. */
export const headerPathMutants: Mutant[] = [...ofErrors, ...ofSuccesses, ...ofTimes, ...ofIds];
