import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type RequirementId,
  respondInstead,
  shows,
  takes,
} from "./mutant.ts";
import { objectOf } from "./newsletter.ts";
import {
  errorIn,
  isError,
  isRequestTo,
  mistakes,
  sentMessages,
  withError,
  withHeaders,
  withMessages,
} from "./requests.ts";

/** Changes the error object. */
const inErrors = (
  requirement: Mutant["requirement"],
  title: string,
  change: (response: MutantResponse, request: MutantRequest) => MutantResponse | undefined,
): Mutant =>
  shows(requirement, title, (response, request) =>
    errorIn(response) === undefined ? undefined : change(response, request),
  );

/** Changes `error.fields`. */
const inNamedFields = (
  requirement: Mutant["requirement"],
  title: string,
  change: (fields: [string, unknown][]) => unknown,
  applies: (request: MutantRequest) => boolean = () => true,
): Mutant =>
  inErrors(requirement, title, (response, request) => {
    const fields = errorIn(response)?.fields;
    if (fields === undefined || !applies(request)) return undefined;
    return withError(response, { fields: change(Object.entries(objectOf(fields))) });
  });

export const ofShape: Mutant[] = [
  inErrors("ERR-1", "a 403 has the error's properties at the top level", (response) =>
    response.status === 403 ? { ...response, body: errorIn(response) } : undefined,
  ),
  inErrors("ERR-1", "a 409 has a list of errors", (response) =>
    response.status === 409 ? { ...response, body: { errors: [errorIn(response)] } } : undefined,
  ),
  inNamedFields(
    "ERR-4",
    "error.fields of contacts has no texts",
    (fields) => Object.fromEntries(fields.map(([name]) => [name, []])),
    (request) => isRequestTo(request, "newsletter"),
  ),
  inNamedFields(
    "ERR-4",
    "error.fields of a batch is a list of objects",
    (fields) => Object.fromEntries(fields.map(([name, texts]) => [name, [{ code: String(texts) }]])),
    (request) => isRequestTo(request, "sendBatch"),
  ),
  inErrors("ERR-5", "the request id of an unknown path is empty", (response, { path }) =>
    response.status === 404 && path.includes("/contract-")
      ? withError(response, { request_id: "" })
      : undefined,
  ),
];

export const ofFields: Mutant[] = [
  takes("ERR-10", "accepts an invalid reply_to", (request) =>
    sentMessages(request).length === 0
      ? undefined
      : withMessages(request, ({ reply_to, ...rest }) =>
          String(reply_to).includes("@") ? { ...rest, reply_to } : rest,
        ),
  ),
];

type Applies = Parameters<typeof isRequestTo>[1];

/** Adds names to `error.fields` of certain errors. */
const alsoNames = (
  requirement: RequirementId,
  title: string,
  [status, type]: readonly [number, string],
  operation: Applies,
  names: readonly string[] | ((request: MutantRequest) => readonly string[]),
): Mutant =>
  shows(requirement, title, (response, request) => {
    if (!isError(response, status, type) || !isRequestTo(request, operation)) return undefined;
    const added = typeof names === "function" ? names(request) : names;
    const pairs = added.map((name) => [name, ["Check this."]]);
    const fields = { ...Object.fromEntries(pairs), ...objectOf(errorIn(response)?.fields) };
    return withError(response, { fields });
  });

const invalid = [422, "invalid_request"] as const;

/** Every property that the request has. */
const sent = ({ body }: MutantRequest): string[] => Object.keys(objectOf(body));

/** Errors whose `error.fields` names fields that are valid. */
export const errorNameMutants: Mutant[] = [
  alsoNames("ERR-10", "an invalid reschedule also names the id", invalid, "rescheduleEmail", ["id"]),
  alsoNames("ERR-10", "an invalid contact also names first_name", invalid, "upsertContact", ["first_name"]),
  alsoNames("ERR-10", "an invalid unsubscribe also names the email address", invalid, "unsubscribeContact", [
    "email",
  ]),
  alsoNames("BATCH-8", "an invalid message of a batch also names its to", invalid, "sendBatch", (request) =>
    sentMessages(request).map((_, index) => `emails.${index}.to`),
  ),
  alsoNames("AUTH-16", "a missing product names every field", [402, "no_plan"], "newsletter", sent),
  alsoNames("LIMIT-7", "the sending ceiling names to", [429, "send_rejected"], "sendEmail", ["to"]),
];

const isNowhere = ({ path }: MutantRequest): boolean => path.includes("/contract-") && !path.includes("%40");
const isOther = ({ method }: MutantRequest): boolean => method === "PUT";

export const frontMutants: Mutant[] = [
  mistakes(
    "ERR-6",
    "an unknown path returns 405",
    "404 not_found",
    "405 method_not_allowed",
    (request) => isNowhere(request) && request.method === "POST",
  ),
  respondInstead("ERR-6", "paths below the lists return the lists", (request, next) =>
    isNowhere(request) && request.path.startsWith("/api/v1/newsletter/lists/")
      ? next({ ...request, method: "GET", path: "/api/v1/newsletter/lists" })
      : undefined,
  ),
  mistakes(
    "ERR-7",
    "an unsupported method on contacts returns 501",
    "405 method_not_allowed",
    "501 not_implemented",
    (request) => isOther(request) && request.path.includes("/contacts"),
  ),
  respondInstead("ERR-7", "PUT looks up a message", (request, next) =>
    isOther(request) && /\/emails\/[^/]+$/.test(request.path) && !request.path.endsWith("/batch")
      ? next({ ...request, method: "GET", body: undefined })
      : undefined,
  ),
  shows("HEAD-10", "Allow has one method", (response) =>
    response.status === 405
      ? withHeaders(response, { allow: response.headers.allow?.split(",")[0] })
      : undefined,
  ),
];
