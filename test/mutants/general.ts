import {
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  respondInstead,
} from "./mutant.ts";
import { errorResponse, isSuccess, objectOf } from "./newsletter.ts";
import { isRequestTo, withHeaders } from "./requests.ts";

/** A value with every time in it changed. */
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

const inTimes = (
  title: string,
  applies: (request: MutantRequest) => boolean,
  change: (time: string) => string,
): Mutant =>
  changeResponses("GEN-7", title, (response, request) =>
    isSuccess(response) && applies(request)
      ? { ...response, body: withTimes(response.body, change) }
      : undefined,
  );

/** The same moment, as clocks in Berlin show it in summer. */
const inBerlin = (time: string): string =>
  new Date(Date.parse(time) + 7_200_000).toISOString().replace(/\.\d+Z$/, "+02:00");
const withoutZone = (time: string): string => time.replace(/Z$/, "");

const labelled = (
  title: string,
  applies: (response: MutantResponse, request: MutantRequest) => boolean,
  type: string | undefined,
): Mutant =>
  changeResponses("GEN-4", title, (response, request) =>
    applies(response, request) ? withHeaders(response, { "content-type": type }) : undefined,
  );

/** A fault that does not have an operation at its address. */
const isElsewhere = (
  requirement: Mutant["requirement"],
  title: string,
  ...operations: Parameters<typeof isRequestTo>[1][]
): Mutant =>
  respondInstead(requirement, title, (request) =>
    isRequestTo(request, ...operations) && request.headers.authorization !== undefined
      ? errorResponse(404, "not_found")
      : undefined,
  );

const takesTime = (title: string, operation: "sendEmail" | "rescheduleEmail", applies: RegExp): Mutant =>
  changeRequests("GEN-6", title, (request) => {
    const { scheduled_at: time } = objectOf(request.body);
    if (!isRequestTo(request, operation) || typeof time !== "string" || !applies.test(time)) return undefined;
    const ahead = new Date(Date.now() + 7_200_000).toISOString();
    return { ...request, body: { ...objectOf(request.body), scheduled_at: ahead } };
  });

const withoutOffset = /^\d{4}-\d\d-\d\dT[\d:.]+$/;

export const generalMutants: Mutant[] = [
  isElsewhere("GEN-1", "custom fields are at another address", "listCustomFields"),
  isElsewhere("GEN-1", "unsubscribing is at another address", "unsubscribeContact"),
  isElsewhere("VER-1", "what a key is told is in no version", "getMe"),
  isElsewhere("VER-1", "canceling is in another version", "cancelEmail"),
  labelled(
    "lists are labelled as text",
    (_, request) => isRequestTo(request, "listNewsletterLists"),
    "text/plain",
  ),
  labelled(
    "a send is answered without a media type",
    (_, request) => isRequestTo(request, "sendEmail"),
    undefined,
  ),
  labelled("a 404 is labelled as a page", ({ status }) => status === 404, "text/html; charset=utf-8"),
  labelled("a 401 has a media type of its own", ({ status }) => status === 401, "application/problem+json"),
  changeResponses("GEN-4", "a canceled message is answered with an XML document", (response, request) =>
    isRequestTo(request, "cancelEmail") && isSuccess(response)
      ? { ...response, body: undefined, text: "<email><status>canceled</status></email>" }
      : undefined,
  ),
  takesTime("a send takes a time without an offset", "sendEmail", withoutOffset),
  takesTime("a change takes a time without an offset", "rescheduleEmail", withoutOffset),
  takesTime("a send takes a date as a time", "sendEmail", /^\d{4}-\d\d-\d\d$/),
  inTimes("the times of a message have an offset", (request) => isRequestTo(request, "getEmail"), inBerlin),
  inTimes(
    "the time of a scheduled message has an offset",
    (request) => isRequestTo(request, "sendEmail"),
    inBerlin,
  ),
  inTimes(
    "the times of a membership have no zone",
    (request) => isRequestTo(request, "upsertContact"),
    withoutZone,
  ),
  inTimes("the times of a contact have an offset", (request) => isRequestTo(request, "getContact"), inBerlin),
  inTimes(
    "a contact that left has times without a zone",
    (request) => isRequestTo(request, "unsubscribeContact"),
    withoutZone,
  ),
];
