import {
  add,
  at,
  change,
  type Defects,
  defect,
  field,
  inRow,
  json,
  put,
  remove,
  rename,
  response,
  reverse,
  schema,
  take,
} from "../mutate/edit.ts";

const row = (id: string, edit: (row: string) => ReturnType<typeof change>) =>
  inRow("/x-errors", "id", id, edit);
const examples = (name: string): string => `${json(response(name))}/examples`;

export const errors: Defects = {
  "an error with a shape of its own": defect(
    "error-responses-share-schema",
    change(`${json(response("Unauthorized"))}/schema`, { $ref: "#/components/schemas/Account" }),
  ),
  "an error without a message": defect("release", take(`${schema("ErrorDetail")}/required`, "message")),
  "an error that must name fields": defect("release", add(`${schema("ErrorDetail")}/required`, "fields")),
  "the request id of an error renamed": defect(
    "required-properties-declared",
    rename(field("ErrorDetail", "request_id"), "call_id"),
  ),
  "an error that no longer names fields": defect(
    "release",
    row("422.invalid_request", (at) => remove(`${at}/namesFields`)),
  ),
  "an error row removed": defect("error-examples-match-rows", row("403.send_rejected", remove)),
  "the only row of a status removed": defect("error-statuses-have-rows", row("413.send_rejected", remove)),
  "a row of the gateway removed": defect("error-statuses-have-rows", row("405.method_not_allowed", remove)),
  "an operation taken from a row": defect(
    "error-statuses-have-rows",
    row("422.invalid_request", (at) => take(`${at}/operations`, "rescheduleEmail")),
  ),
  "an operation added to a row": defect(
    "error-rows-have-examples",
    row("413.send_rejected", (at) => add(`${at}/operations`, "upsertContact")),
  ),
  "a misspelt operation in a row": defect(
    "operations-known",
    row("402.no_plan", (at) => add(`${at}/operations`, "getMail")),
  ),
  "another way to retry the rate limit": defect(
    "release",
    row("429.rate_limited", (at) => change(`${at}/retry`, "backoff")),
  ),
  "a rejected send that is worth repeating": defect(
    "release",
    row("409.send_rejected", (at) => change(`${at}/retry`, "backoff")),
  ),
  "an unknown way to retry": defect(
    "error-rows-well-formed",
    row("503", (at) => change(`${at}/retry`, "always")),
  ),
  "a row with another status": defect(
    "error-rows-well-formed",
    row("402.no_plan", (at) => change(`${at}/status`, 400)),
  ),
  "a row with another type": defect(
    "error-rows-well-formed",
    row("409.not_cancellable", (at) => change(`${at}/type`, "too_late")),
  ),
  "a 5xx with a type": defect(
    "error-rows-well-formed",
    row("500", (at) => change(`${at}/type`, "internal_error")),
  ),
  "a row without a resolution": defect(
    "error-rows-well-formed",
    row("401.unauthorized", (at) => change(`${at}/resolution`, "")),
  ),
  "an error type that no row has": defect(
    "error-types-consistent",
    add(`${schema("ErrorType")}/x-extensible-enum`, "gone"),
  ),
  "an error type that is not listed": defect(
    "error-types-consistent",
    take(`${schema("ErrorType")}/x-extensible-enum`, "no_plan"),
  ),
  "an error example removed": defect(
    "error-rows-have-examples",
    remove(`${examples("SendConflict")}/idempotency_conflict`),
  ),
  "an error example of another type": defect(
    "error-examples-match-rows",
    change(`${examples("NoPlan")}/no_plan/value/error/type`, "payment_required"),
  ),
  "an error of another operation": defect(
    "error-examples-match-rows",
    change(`${at.getEmail}/responses/403`, { $ref: "#/components/responses/SendForbidden" }),
  ),
  "a newsletter operation with the error of a send": defect(
    "newsletter-error-types",
    row("409.send_rejected", (at) => add(`${at}/operations`, "upsertContact")),
  ),
  "one more error type of the newsletter": defect("release", add("/tags/1/x-error-types", "send_rejected")),
  "no error types of the newsletter": defect("newsletter-error-types", remove("/tags/1/x-error-types")),
  "operations whose product is not named": defect("products-consistent", remove("/tags/0/x-product")),
  "a product of operations that need none": defect(
    "products-consistent",
    put("/tags/2/x-product", "account"),
  ),
  "sends whose domain need not be verified": defect(
    "verified-domain-consistent",
    remove("/tags/0/x-requires-verified-domain"),
  ),
  "a verified domain for operations that send nothing": defect(
    "verified-domain-consistent",
    put("/tags/1/x-requires-verified-domain", true),
  ),
  "a request id that the header does not show": defect(
    "error-example-request-id",
    change(`${examples("Forbidden")}/forbidden/value/error/request_id`, "req_other"),
  ),
  "an invalid request that names no field": defect(
    "invalid-request-names-fields",
    remove(`${examples("ContactInvalid")}/invalid_request/value/error/fields`),
  ),
  "an invalid field that the request does not have": defect(
    "invalid-request-names-fields",
    put(`${examples("UnsubscribeInvalid")}/invalid_request/value/error/fields/colour`, ["Too bright."]),
  ),
  "an invalid field of a batch without its position": defect(
    "invalid-request-names-fields",
    rename(
      `${examples("BatchInvalid")}/invalid_request/value/error/fields/emails.2.subject`,
      "emails.subject",
    ),
  ),
  "a rejected send shown before the invalid request": defect(
    "invalid-request-first",
    reverse(examples("BatchInvalid")),
  ),
  "an error status without a row": defect(
    "error-statuses-have-rows",
    put(`${at.getMe}/responses/402`, { $ref: "#/components/responses/NoPlan" }),
  ),
  "an error response removed": defect("error-rows-have-examples", remove(`${at.cancelEmail}/responses/404`)),
  "a 500 that always has a body": defect(
    "empty-body-on-500-only",
    remove(`${response("InternalServerError")}/x-empty-body`),
  ),
  "a 502 that may have none": defect(
    "empty-body-on-500-only",
    put(`${response("BadGateway")}/x-empty-body`, true),
  ),
  "no response for unknown addresses": defect(
    "gateway-responses-complete",
    remove("/x-gateway-responses/404"),
  ),
  "a 405 on an operation": defect(
    "gateway-responses-complete",
    put(`${at.getMe}/responses/405`, { $ref: "#/components/responses/MethodNotAllowed" }),
  ),
  "a 401 that an operation does not have": defect(
    "owasp:api8:2023-define-error-responses-401",
    remove(`${at.getEmail}/responses/401`),
  ),
};
