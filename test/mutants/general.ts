import { type OperationId, operations } from "../../generated/operations.ts";
import { type Mutant, type RequirementId, respondInstead, shows, takes } from "./mutant.ts";
import { errorResponse, isSuccess, objectOf } from "./newsletter.ts";
import { isRequestTo, withFields, withKey } from "./requests.ts";

/** A copy with all times changed. */
function withTimes(value: unknown, change: (time: string) => string): unknown {
  if (Array.isArray(value)) return value.map((entry) => withTimes(entry, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      /(^|_)at$/.test(name) && typeof inner === "string" ? change(inner) : withTimes(inner, change),
    ]),
  );
}

const inTimes = (title: string, operation: OperationId, change: (time: string) => string): Mutant =>
  shows("GEN-7", title, (response, request) =>
    isSuccess(response) && isRequestTo(request, operation)
      ? { ...response, body: withTimes(response.body, change) }
      : undefined,
  );

/** The same moment with the offset +02:00. */
const inBerlin = (time: string): string =>
  new Date(Date.parse(time) + 7_200_000).toISOString().replace(/\.\d+Z$/, "+02:00");
const withoutZone = (time: string): string => time.replace(/Z$/, "");

const takesTime = (title: string, operation: "sendEmail" | "rescheduleEmail", applies: RegExp): Mutant =>
  takes("GEN-6", title, (request) => {
    const { scheduled_at: time } = objectOf(request.body);
    if (!isRequestTo(request, operation) || typeof time !== "string" || !applies.test(time)) return undefined;
    const ahead = new Date(Date.now() + 7_200_000).toISOString();
    return withFields(request, { scheduled_at: ahead });
  });

const withoutOffset = /^\d{4}-\d\d-\d\dT[\d:.]+$/;

export const generalMutants: Mutant[] = [
  takesTime("a send accepts a time without an offset", "sendEmail", withoutOffset),
  takesTime("a reschedule accepts a time without an offset", "rescheduleEmail", withoutOffset),
  takesTime("a send accepts a date as a time", "sendEmail", /^\d{4}-\d\d-\d\d$/),
  inTimes("the time of a scheduled message has a nonzero offset", "sendEmail", inBerlin),
  inTimes("the times of a membership have no time zone", "upsertContact", withoutZone),
  inTimes("the times of a contact have a nonzero offset", "getContact", inBerlin),
  inTimes("an unsubscribed contact has times without a time zone", "unsubscribeContact", withoutZone),
];

const operationIds = Object.keys(operations) as OperationId[];
/** Writes whose effect can be looked up; what a rejected send has sent cannot. */
const writing = operationIds.filter((id) => operations[id].method !== "GET" && !id.startsWith("send"));

/** Rejects a request because of its key, but performs it. */
const yetDone = (
  requirement: RequirementId,
  title: string,
  status: number,
  operation: OperationId,
): Mutant => ({
  requirement,
  title,
  intercept:
    ({ bearer }) =>
    async (request, next) => {
      const response = await next(request);
      if (isRequestTo(request, operation) && response.status === status)
        await next(withKey(request, bearer("full")));
      return response;
    },
});

/** Requests that are rejected because of their key, but performed. */
export const rejectedRequestMutants: Mutant[] = writing.flatMap((operation) => [
  yetDone("AUTH-12", `${operation} without a key is rejected, but performed`, 401, operation),
  yetDone("AUTH-14", `${operation} with a revoked key is rejected, but performed`, 401, operation),
  yetDone("AUTH-15", `${operation} without the ability is rejected, but performed`, 403, operation),
]);

const withBody = operationIds.filter((id) => operations[id].requestBody !== null);

/** Rejects a body whose end is missing, but performs the request. */
const repaired = (operation: OperationId): Mutant => ({
  requirement: "ERR-10",
  title: `the body of ${operation} without its end is rejected, but processed`,
  intercept: () => async (request, next) => {
    const { text, ...rest } = request;
    const response = await next(request);
    if (text === undefined || !isRequestTo(request, operation) || !text.startsWith("{")) return response;
    await next({ ...rest, body: JSON.parse(text.endsWith("}}") ? text.slice(0, -1) : `${text}}`) });
    return response;
  },
});

export const unreadableMutants: Mutant[] = withBody.flatMap((operation) => [
  respondInstead("ERR-13", `${operation} with a body that is a form returns 502`, (request) =>
    isRequestTo(request, operation) && request.headers["content-type"] === "application/x-www-form-urlencoded"
      ? errorResponse(502, "bad_gateway")
      : undefined,
  ),
  repaired(operation),
]);
