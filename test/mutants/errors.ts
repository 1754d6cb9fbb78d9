import {
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
} from "./mutant.ts";
import { objectOf } from "./newsletter.ts";
import {
  errorIn,
  isError,
  isRequestTo,
  messagesIn,
  mistakes,
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
  changeResponses(requirement, title, (response, request) =>
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

const ofShape: Mutant[] = [
  inErrors("ERR-1", "a 404 has no error.message", (response) =>
    response.status === 404 ? withError(response, { message: undefined }) : undefined,
  ),
  inErrors("ERR-1", "a 401 has its type in error.code", (response) =>
    response.status === 401
      ? withError(response, { type: undefined, code: errorIn(response)?.type })
      : undefined,
  ),
  inErrors("ERR-1", "a 403 has the error's properties at the top level", (response) =>
    response.status === 403 ? { ...response, body: errorIn(response) } : undefined,
  ),
  inErrors("ERR-1", "a 409 has a list of errors", (response) =>
    response.status === 409 ? { ...response, body: { errors: [errorIn(response)] } } : undefined,
  ),
  inErrors("ERR-1", "a 402 is a text", (response) =>
    response.status === 402 ? { ...response, body: "No plan" } : undefined,
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

const ofFields: Mutant[] = [
  changeRequests("ERR-10", "accepts an invalid reply_to", (request) =>
    messagesIn(request).length === 0
      ? undefined
      : withMessages(request, ({ reply_to, ...rest }) =>
          String(reply_to).includes("@") ? { ...rest, reply_to } : rest,
        ),
  ),
  mistakes(
    "ERR-12",
    "an unknown contact has another error type",
    "404 not_found",
    "404 contact_not_found",
    (request) => isRequestTo(request, "getContact"),
  ),
  mistakes(
    "ERR-12",
    "an invalid contact has another error type",
    "422 invalid_request",
    "422 validation_error",
    (request) => isRequestTo(request, "upsertContact"),
  ),
  mistakes(
    "ERR-12",
    "newsletter requests without the product have another error type",
    "402 no_plan",
    "402 no_newsletter",
    (request) => isRequestTo(request, "newsletter"),
  ),
];

/** Changes server failures. */
const inFailures = (
  requirement: Mutant["requirement"],
  title: string,
  status: number,
  change: (response: MutantResponse) => MutantResponse,
): Mutant =>
  changeResponses(requirement, title, (response) =>
    response.status === status ? change(response) : undefined,
  );

const withoutBody = (response: MutantResponse): MutantResponse => ({
  ...withHeaders(response, { "content-type": undefined }),
  body: undefined,
});

const ofFailures: Mutant[] = [
  inFailures("ERR-13", "a server failure returns 422 invalid_request", 503, (response) => ({
    ...withError(response, { type: "invalid_request" }),
    status: 422,
  })),
  inFailures("ERR-13", "a 502 returns 409", 502, (response) => ({
    ...response,
    status: 409,
  })),
  inFailures("ERR-13", "a server failure returns 200 with an error", 500, (response) => ({
    ...response,
    status: 200,
  })),
  inFailures("ERR-14", "a 503 has no body", 503, withoutBody),
  inFailures("ERR-14", "a 502 is an HTML page", 502, (response) => ({
    ...withHeaders(response, { "content-type": "text/html" }),
    body: undefined,
    text: "<html><h1>502 Bad Gateway</h1></html>",
  })),
  changeResponses("ERR-16", "a 429 has its message at the top level", (response) =>
    isError(response, 429, "rate_limited")
      ? { ...response, body: { message: "Too many requests" } }
      : undefined,
  ),
  changeResponses("ERR-16", "a 429 has no request id in the error", (response) =>
    isError(response, 429, "rate_limited") ? withError(response, { request_id: undefined }) : undefined,
  ),
];

export const errorsMutants: Mutant[] = [...ofShape, ...ofFields, ...ofFailures];
