import {
  calls,
  errorIn,
  isError,
  messagesIn,
  mistakes,
  withError,
  withHeaders,
  withMessages,
} from "./calls.ts";
import { type Fault, type FaultAnswer, type FaultRequest, inAnswers, inRequests } from "./fault.ts";
import { objectOf, refusal } from "./newsletter.ts";

/** A fault in the error object, where there is one. */
const inErrors = (
  breaks: Fault["breaks"],
  title: string,
  change: (answer: FaultAnswer, request: FaultRequest) => FaultAnswer | undefined,
): Fault =>
  inAnswers(breaks, title, (answer, request) =>
    errorIn(answer) === undefined ? undefined : change(answer, request),
  );

/** A fault in what an error says about fields. */
const inNamedFields = (
  breaks: Fault["breaks"],
  title: string,
  change: (fields: [string, unknown][]) => unknown,
  isMeant: (request: FaultRequest) => boolean = () => true,
): Fault =>
  inErrors(breaks, title, (answer, request) => {
    const fields = errorIn(answer)?.fields;
    if (fields === undefined || !isMeant(request)) return undefined;
    return withError(answer, { fields: change(Object.entries(objectOf(fields))) });
  });

const ofShape: Fault[] = [
  inErrors("ERR-1", "a 404 has no error.message", (answer) =>
    answer.status === 404 ? withError(answer, { message: undefined }) : undefined,
  ),
  inErrors("ERR-1", "a 401 has its type in error.code", (answer) =>
    answer.status === 401 ? withError(answer, { type: undefined, code: errorIn(answer)?.type }) : undefined,
  ),
  inErrors("ERR-1", "a 403 has the parts of its error at the top", (answer) =>
    answer.status === 403 ? { ...answer, body: errorIn(answer) } : undefined,
  ),
  inErrors("ERR-1", "a 409 has a list of errors", (answer) =>
    answer.status === 409 ? { ...answer, body: { errors: [errorIn(answer)] } } : undefined,
  ),
  inErrors("ERR-1", "a 402 is a text", (answer) =>
    answer.status === 402 ? { ...answer, body: "No plan" } : undefined,
  ),
  inNamedFields("ERR-4", "what is wrong with a field is a text", (fields) =>
    Object.fromEntries(fields.map(([name, texts]) => [name, String(texts)])),
  ),
  inNamedFields("ERR-4", "what is wrong is a list of fields with texts", (fields) =>
    fields.map(([field, messages]) => ({ field, messages })),
  ),
  inNamedFields(
    "ERR-4",
    "fields of contacts come without texts",
    (fields) => Object.fromEntries(fields.map(([name]) => [name, []])),
    (request) => calls(request, "newsletter"),
  ),
  inNamedFields(
    "ERR-4",
    "what is wrong in a batch is a list of objects",
    (fields) => Object.fromEntries(fields.map(([name, texts]) => [name, [{ code: String(texts) }]])),
    (request) => calls(request, "sendBatch"),
  ),
  inErrors("ERR-5", "an error has a request id of its own", (answer) =>
    withError(answer, { request_id: `${String(errorIn(answer)?.request_id)}x` }),
  ),
  inErrors("ERR-5", "the request id of an unknown address is empty", (answer, { path }) =>
    answer.status === 404 && path.includes("/contract-") ? withError(answer, { request_id: "" }) : undefined,
  ),
];

const ofFields: Fault[] = [
  mistakes(
    "ERR-10",
    "a malformed contact is answered 400",
    "422 invalid_request",
    "400 invalid_request",
    (request) => calls(request, "upsertContact"),
  ),
  mistakes(
    "ERR-10",
    "a malformed unsubscribe has an error type of its own",
    "422 invalid_request",
    "422 validation_failed",
    (request) => calls(request, "unsubscribeContact"),
  ),
  inNamedFields("ERR-10", "only the first field at fault is named", ([first]) =>
    first === undefined ? {} : { [first[0]]: first[1] },
  ),
  inErrors("ERR-10", "a change of time is refused without naming the field", (answer, request) =>
    calls(request, "rescheduleEmail") && isError(answer, 422, "invalid_request")
      ? withError(answer, { fields: undefined })
      : undefined,
  ),
  inNamedFields("ERR-10", "fields are named with a pointer", (fields) =>
    Object.fromEntries(fields.map(([name, texts]) => [`/${name.replaceAll(".", "/")}`, texts])),
  ),
  inRequests("ERR-10", "a malformed reply_to is passed over", (request) =>
    messagesIn(request).length === 0
      ? undefined
      : withMessages(request, ({ reply_to, ...rest }) =>
          String(reply_to).includes("@") ? { ...rest, reply_to } : rest,
        ),
  ),
  mistakes(
    "ERR-12",
    "a contact that is not there is an error with a type of its own",
    "404 not_found",
    "404 contact_not_found",
    (request) => calls(request, "getContact"),
  ),
  mistakes(
    "ERR-12",
    "a malformed contact is an error of the validation",
    "422 invalid_request",
    "422 validation_error",
    (request) => calls(request, "upsertContact"),
  ),
  mistakes(
    "ERR-12",
    "newsletter calls without the product have a type of their own",
    "402 no_plan",
    "402 no_newsletter",
    (request) => calls(request, "newsletter"),
  ),
];

/** A fault in the failures of the service. */
const inFailures = (
  breaks: Fault["breaks"],
  title: string,
  status: number,
  change: (answer: FaultAnswer) => FaultAnswer,
): Fault => inAnswers(breaks, title, (answer) => (answer.status === status ? change(answer) : undefined));

const withoutBody = (answer: FaultAnswer): FaultAnswer => ({
  ...withHeaders(answer, { "content-type": undefined }),
  body: undefined,
});

const ofFailures: Fault[] = [
  inFailures("ERR-13", "a failure of the service is answered 422 invalid_request", 503, (answer) => ({
    ...withError(answer, { type: "invalid_request" }),
    status: 422,
  })),
  inFailures("ERR-13", "a failure of the mail network is answered 409", 502, (answer) => ({
    ...answer,
    status: 409,
  })),
  inFailures("ERR-13", "a failure is answered 200 with an error", 500, (answer) => ({
    ...answer,
    status: 200,
  })),
  {
    breaks: "ERR-13",
    title: "who met a failure once is not let in any more",
    between: () => {
      let hasFailed = false;
      return async (request, next) => {
        if (hasFailed && calls(request, "getMe")) return refusal(403, "forbidden");
        const answer = await next(request);
        hasFailed ||= answer.status >= 500;
        return answer;
      };
    },
  },
  inFailures("ERR-14", "a 503 comes without a body", 503, withoutBody),
  inFailures("ERR-14", "a 502 is the page of a gateway", 502, (answer) => ({
    ...withHeaders(answer, { "content-type": "text/html" }),
    body: undefined,
    text: "<html><h1>502 Bad Gateway</h1></html>",
  })),
  inAnswers("ERR-16", "too many requests are answered with a text", (answer) =>
    isError(answer, 429, "rate_limited")
      ? {
          ...withHeaders(answer, { "content-type": "text/plain" }),
          body: undefined,
          text: "Too Many Requests",
        }
      : undefined,
  ),
  inAnswers("ERR-16", "too many requests are answered with a message at the top", (answer) =>
    isError(answer, 429, "rate_limited") ? { ...answer, body: { message: "Too many requests" } } : undefined,
  ),
  inAnswers("ERR-16", "too many requests are answered without a request id in the error", (answer) =>
    isError(answer, 429, "rate_limited") ? withError(answer, { request_id: undefined }) : undefined,
  ),
];

export const errorsFaults: Fault[] = [...ofShape, ...ofFields, ...ofFailures];
