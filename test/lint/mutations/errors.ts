import {
  add,
  at,
  change,
  type Edit,
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
} from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const row = (id: string, edit: (row: string) => Edit) => inRow("/x-errors", "id", id, edit);
const examples = (name: string): string => `${json(response(name))}/examples`;

export const errors: Defects = {
  "error-responses-share-schema": {
    "an error with a shape of its own": change(`${json(response("Unauthorized"))}/schema`, {
      $ref: "#/components/schemas/Account",
    }),
  },
  release: {
    "an error without a message": take(`${schema("ErrorDetail")}/required`, "message"),
    "an error that must name fields": add(`${schema("ErrorDetail")}/required`, "fields"),
    "an error that no longer names fields": row("422.invalid_request", (at) => remove(`${at}/namesFields`)),
    "another way to retry the rate limit": row("429.rate_limited", (at) => change(`${at}/retry`, "backoff")),
    "a rejected send that is worth repeating": row("409.send_rejected", (at) =>
      change(`${at}/retry`, "backoff"),
    ),
    "one more error type of the newsletter": add("/tags/1/x-error-types", "send_rejected"),
  },
  "required-properties-declared": {
    "the request id of an error renamed": rename(field("ErrorDetail", "request_id"), "call_id"),
  },
  "error-examples-match-rows": {
    "an error row removed": row("403.send_rejected", remove),
    "an error example of another type": change(
      `${examples("NoPlan")}/no_plan/value/error/type`,
      "payment_required",
    ),
    "an error of another operation": change(`${at.getEmail}/responses/403`, {
      $ref: "#/components/responses/SendForbidden",
    }),
  },
  "error-statuses-have-rows": {
    "the only row of a status removed": row("413.send_rejected", remove),
    "a row of the gateway removed": row("405.method_not_allowed", remove),
    "an operation taken from a row": row("422.invalid_request", (at) =>
      take(`${at}/operations`, "rescheduleEmail"),
    ),
    "an error status without a row": put(`${at.getMe}/responses/402`, {
      $ref: "#/components/responses/NoPlan",
    }),
  },
  "error-rows-have-examples": {
    "an operation added to a row": row("413.send_rejected", (at) => add(`${at}/operations`, "upsertContact")),
    "an error example removed": remove(`${examples("SendConflict")}/idempotency_conflict`),
    "an error response removed": remove(`${at.cancelEmail}/responses/404`),
  },
  "operations-known": {
    "a misspelt operation in a row": row("402.no_plan", (at) => add(`${at}/operations`, "getMail")),
  },
  "error-rows-well-formed": {
    "a row with another status": row("402.no_plan", (at) => change(`${at}/status`, 400)),
    "a row with another type": row("409.not_cancellable", (at) => change(`${at}/type`, "too_late")),
    "a 5xx with a type": row("500", (at) => change(`${at}/type`, "internal_error")),
  },
  "tables-well-formed": {
    "an unknown way to retry": row("503", (at) => change(`${at}/retry`, "always")),
    "a row without a resolution": row("401.unauthorized", (at) => change(`${at}/resolution`, "")),
  },
  "error-types-consistent": {
    "an error type that no row has": add(`${schema("ErrorType")}/x-extensible-enum`, "gone"),
    "an error type that is not listed": take(`${schema("ErrorType")}/x-extensible-enum`, "no_plan"),
  },
  "newsletter-error-types": {
    "a newsletter operation with the error of a send": row("409.send_rejected", (at) =>
      add(`${at}/operations`, "upsertContact"),
    ),
    "no error types of the newsletter": remove("/tags/1/x-error-types"),
  },
  "products-consistent": {
    "operations whose product is not named": remove("/tags/0/x-product"),
    "a product of operations that need none": put("/tags/2/x-product", "account"),
  },
  "verified-domain-consistent": {
    "sends whose domain need not be verified": remove("/tags/0/x-requires-verified-domain"),
    "a verified domain for operations that send nothing": put("/tags/1/x-requires-verified-domain", true),
  },
  "error-example-request-id": {
    "a request id that the header does not show": change(
      `${examples("Forbidden")}/forbidden/value/error/request_id`,
      "req_other",
    ),
  },
  "invalid-request-names-fields": {
    "an invalid request that names no field": remove(
      `${examples("ContactInvalid")}/invalid_request/value/error/fields`,
    ),
    "an invalid field that the request does not have": put(
      `${examples("UnsubscribeInvalid")}/invalid_request/value/error/fields/colour`,
      ["Too bright."],
    ),
    "an invalid field of a batch without its position": rename(
      `${examples("BatchInvalid")}/invalid_request/value/error/fields/emails.2.subject`,
      "emails.subject",
    ),
  },
  "invalid-request-first": {
    "a rejected send shown before the invalid request": reverse(examples("BatchInvalid")),
  },
  "empty-body-on-500-only": {
    "a 500 that always has a body": remove(`${response("InternalServerError")}/x-empty-body`),
    "a 502 that may have none": put(`${response("BadGateway")}/x-empty-body`, true),
  },
  "gateway-responses-complete": {
    "no response for unknown addresses": remove("/x-gateway-responses/404"),
    "a 405 on an operation": put(`${at.getMe}/responses/405`, {
      $ref: "#/components/responses/MethodNotAllowed",
    }),
  },
  "owasp:api8:2023-define-error-responses-401": {
    "a 401 that an operation does not have": remove(`${at.getEmail}/responses/401`),
  },
};
