import type { Facts } from "../shape.ts";

/** The shared responses, in the notation of `readResponses`. */
export const expectedResponses: Facts = {
  Unauthorized: {
    body: "application/json Error: unauthorized=unauthorized",
    headers: "X-Service-Request-Id*",
  },
  NoPlan: {
    body: "application/json Error: no_plan=no_plan",
    headers: "X-Service-Request-Id*",
  },
  SendForbidden: {
    body: "application/json Error: forbidden=forbidden send_rejected=send_rejected",
    headers: "X-Service-Request-Id*",
  },
  SendConflict: {
    body: "application/json Error: send_rejected=send_rejected send_rejected_stopped=send_rejected idempotency_conflict=idempotency_conflict",
    headers: "X-Service-Request-Id*",
  },
  MessageTooLarge: {
    body: "application/json Error: send_rejected=send_rejected",
    headers: "X-Service-Request-Id*",
  },
  SendInvalid: {
    body: "application/json Error: invalid_request=invalid_request invalid_request_attachment=invalid_request send_rejected=send_rejected send_rejected_no_domain=send_rejected",
    headers: "X-Service-Request-Id*",
  },
  SendLimited: {
    body: "application/json Error: rate_limited=rate_limited send_rejected=send_rejected",
    headers: "X-Service-Request-Id* Retry-After",
  },
  InternalServerError: {
    body: "application/json Error: server_error=unspecified or no body",
    headers: "X-Service-Request-Id*",
  },
  BadGateway: {
    body: "application/json Error: server_error=unspecified",
    headers: "X-Service-Request-Id*",
  },
  ServiceUnavailable: {
    body: "application/json Error: server_error=unspecified",
    headers: "X-Service-Request-Id*",
  },
  BatchInvalid: {
    body: "application/json Error: invalid_request=invalid_request send_rejected=send_rejected",
    headers: "X-Service-Request-Id*",
  },
  Forbidden: {
    body: "application/json Error: forbidden=forbidden",
    headers: "X-Service-Request-Id*",
  },
  MessageNotFound: {
    body: "application/json Error: not_found=not_found",
    headers: "X-Service-Request-Id*",
  },
  RateLimited: {
    body: "application/json Error: rate_limited=rate_limited",
    headers: "X-Service-Request-Id* Retry-After*",
  },
  NotReschedulable: {
    body: "application/json Error: not_reschedulable=not_reschedulable",
    headers: "X-Service-Request-Id*",
  },
  RescheduleInvalid: {
    body: "application/json Error: invalid_request=invalid_request",
    headers: "X-Service-Request-Id*",
  },
  NotCancellable: {
    body: "application/json Error: not_cancellable=not_cancellable",
    headers: "X-Service-Request-Id*",
  },
  ListNotFound: {
    body: "application/json Error: not_found=not_found",
    headers: "X-Service-Request-Id*",
  },
  IdempotencyConflict: {
    body: "application/json Error: idempotency_conflict=idempotency_conflict",
    headers: "X-Service-Request-Id*",
  },
  ContactInvalid: {
    body: "application/json Error: invalid_request=invalid_request",
    headers: "X-Service-Request-Id*",
  },
  ContactNotFound: {
    body: "application/json Error: not_found=not_found",
    headers: "X-Service-Request-Id*",
  },
  ContactOrListNotFound: {
    body: "application/json Error: not_found=not_found not_found_list=not_found",
    headers: "X-Service-Request-Id*",
  },
  UnsubscribeInvalid: {
    body: "application/json Error: invalid_request=invalid_request",
    headers: "X-Service-Request-Id*",
  },
  UnknownPath: {
    body: "application/json Error: not_found=not_found",
    headers: "X-Service-Request-Id*",
  },
  MethodNotAllowed: {
    body: "application/json Error: method_not_allowed=method_not_allowed",
    headers: "X-Service-Request-Id* Allow*",
  },
  gateway: {
    "404": "UnknownPath",
    "405": "MethodNotAllowed",
  },
  headers: {
    Allow: "string",
    IdempotentReplayed: "string closed: true",
    MonthlyQuota: "Count",
    MonthlyRemaining: "Count",
    RateLimitLimit: "Count",
    RateLimitRemaining: "Count",
    RequestId: "RequestId",
    RetryAfter: "Count",
    OptionalRetryAfter: "Count",
  },
};
