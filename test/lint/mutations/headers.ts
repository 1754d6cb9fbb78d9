import {
  add,
  at,
  change,
  type Defects,
  defect,
  header,
  parameter,
  put,
  remove,
  rename,
  response,
} from "../mutate/edit.ts";

const known = { $ref: "#/components/headers/RateLimitLimit" };

export const headers: Defects = {
  "an error without the request id": defect(
    "request-id-on-every-response",
    remove(`${response("Forbidden")}/headers/X-Service-Request-Id`),
  ),
  "a success without the request id": defect(
    "request-id-on-every-response",
    remove(`${at.getEmail}/responses/2XX/headers/X-Service-Request-Id`),
  ),
  "the request id may be missing": defect(
    "request-id-on-every-response",
    change(`${header("ServiceRequestId")}/required`, false),
  ),
  "the request id under another name": defect(
    "request-id-on-every-response",
    rename(`${response("NoPlan")}/headers/X-Service-Request-Id`, "X-Request-Id"),
  ),
  "a success without the rate limit": defect(
    "rate-limit-headers-on-success-only",
    remove(`${at.getContact}/responses/2XX/headers/X-RateLimit-Limit`),
  ),
  "a success without what is left of the rate limit": defect(
    "rate-limit-headers-on-success-only",
    remove(`${at.getMe}/responses/200/headers/X-RateLimit-Remaining`),
  ),
  "the rate limit on a failure": defect(
    "rate-limit-headers-on-success-only",
    put(`${response("RateLimited")}/headers/X-RateLimit-Limit`, known),
  ),
  "a send without the monthly quota": defect(
    "quota-headers-on-sends",
    remove(`${at.sendEmail}/responses/202/headers/X-Service-Monthly-Quota`),
  ),
  "a batch without what is left of the month": defect(
    "quota-headers-on-sends",
    remove(`${at.sendBatch}/responses/2XX/headers/X-Service-Monthly-Remaining`),
  ),
  "a monthly quota for an operation that is not there": defect(
    "operations-known",
    add(`${header("MonthlyQuota")}/x-operations`, "sendMail"),
  ),
  "the monthly quota on a newsletter operation": defect(
    "quota-headers-on-sends",
    put(`${at.upsertContact}/responses/200/headers/X-Service-Monthly-Quota`, {
      $ref: "#/components/headers/MonthlyQuota",
    }),
  ),
  "a 405 without Allow": defect("allow-on-405", remove(`${response("MethodNotAllowed")}/headers/Allow`)),
  "Allow on a 404": defect(
    "allow-on-405",
    put(`${response("UnknownPath")}/headers/Allow`, { $ref: "#/components/headers/Allow" }),
  ),
  "a 429 without Retry-After": defect(
    "retry-after-on-429",
    remove(`${response("RateLimited")}/headers/Retry-After`),
  ),
  "Retry-After required for the sending ceiling": defect(
    "retry-after-on-429",
    change(`${header("OptionalRetryAfter")}/required`, true),
  ),
  "Retry-After of a rate limit that may be missing": defect(
    "retry-after-on-429",
    change(`${header("RetryAfter")}/required`, false),
  ),
  "Retry-After on a 503": defect(
    "retry-after-on-429",
    put(`${response("ServiceUnavailable")}/headers/Retry-After`, { $ref: "#/components/headers/RetryAfter" }),
  ),
  "a header that does not say whether it always comes": defect(
    "required-headers-marked",
    remove(`${header("IdempotentReplayed")}/required`),
  ),
  "a header without a description": defect(
    "parameters-and-headers-described",
    remove(`${header("Allow")}/description`),
  ),
  "a header without an example": defect(
    "parameters-and-headers-described",
    remove(`${header("MonthlyQuota")}/example`),
  ),
  "a parameter without an example": defect(
    "parameters-and-headers-described",
    remove(`${parameter("PageCursorParameter")}/example`),
  ),
  "a header that shows nothing left": defect(
    "header-examples-work-in-mocks",
    change(`${header("RateLimitRemaining")}/example`, 0),
  ),
  "a header that shows a list": defect(
    "header-examples-work-in-mocks",
    change(`${header("Allow")}/example`, ["GET", "POST"]),
  ),
  "a header of another type": defect(
    "oas3-valid-media-example",
    change(`${header("RetryAfter")}/schema`, {
      type: "string",
      format: "date-time",
    }),
  ),
};
