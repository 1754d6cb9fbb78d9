import { add, at, change, header, parameter, put, remove, rename, response } from "../../document-edits.ts";
import type { Defects } from "../mutate/defects.ts";

const known = { $ref: "#/components/headers/RateLimitLimit" };

export const headers: Defects = {
  "request-id-on-every-response": {
    "an error without the request id": remove(`${response("Forbidden")}/headers/X-Service-Request-Id`),
    "a success without the request id": remove(`${at.getEmail}/responses/2XX/headers/X-Service-Request-Id`),
    "the request id may be missing": change(`${header("ServiceRequestId")}/required`, false),
    "the request id under another name": rename(
      `${response("NoPlan")}/headers/X-Service-Request-Id`,
      "X-Request-Id",
    ),
  },
  "rate-limit-headers-on-success-only": {
    "a success without the rate limit": remove(`${at.getContact}/responses/2XX/headers/X-RateLimit-Limit`),
    "a success without what is left of the rate limit": remove(
      `${at.getMe}/responses/200/headers/X-RateLimit-Remaining`,
    ),
    "the rate limit on a failure": put(`${response("RateLimited")}/headers/X-RateLimit-Limit`, known),
  },
  "quota-headers-on-sends": {
    "a send without the monthly quota": remove(
      `${at.sendEmail}/responses/202/headers/X-Service-Monthly-Quota`,
    ),
    "a batch without what is left of the month": remove(
      `${at.sendBatch}/responses/2XX/headers/X-Service-Monthly-Remaining`,
    ),
    "the monthly quota on a newsletter operation": put(
      `${at.upsertContact}/responses/200/headers/X-Service-Monthly-Quota`,
      {
        $ref: "#/components/headers/MonthlyQuota",
      },
    ),
  },
  "operations-known": {
    "a monthly quota for an operation that is not there": add(
      `${header("MonthlyQuota")}/x-operations`,
      "sendMail",
    ),
  },
  "allow-on-405": {
    "a 405 without Allow": remove(`${response("MethodNotAllowed")}/headers/Allow`),
    "Allow on a 404": put(`${response("UnknownPath")}/headers/Allow`, { $ref: "#/components/headers/Allow" }),
  },
  "retry-after-on-429": {
    "a 429 without Retry-After": remove(`${response("RateLimited")}/headers/Retry-After`),
    "Retry-After required for the sending ceiling": change(`${header("OptionalRetryAfter")}/required`, true),
    "Retry-After of a rate limit that may be missing": change(`${header("RetryAfter")}/required`, false),
    "Retry-After on a 503": put(`${response("ServiceUnavailable")}/headers/Retry-After`, {
      $ref: "#/components/headers/RetryAfter",
    }),
  },
  "required-headers-marked": {
    "a header that does not say whether it always comes": remove(`${header("IdempotentReplayed")}/required`),
  },
  "parameters-and-headers-described": {
    "a header without a description": remove(`${header("Allow")}/description`),
    "a header without an example": remove(`${header("MonthlyQuota")}/example`),
    "a parameter without an example": remove(`${parameter("PageCursorParameter")}/example`),
  },
  "header-examples-work-in-mocks": {
    "a header that shows nothing left": change(`${header("RateLimitRemaining")}/example`, 0),
    "a header that shows a list": change(`${header("Allow")}/example`, ["GET", "POST"]),
  },
  "oas3-valid-media-example": {
    "a header of another type": change(`${header("RetryAfter")}/schema`, {
      type: "string",
      format: "date-time",
    }),
  },
};
