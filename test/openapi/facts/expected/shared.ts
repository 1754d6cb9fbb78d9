import type { AreaFacts } from "../shape.ts";

/** The account, and the responses, headers and response bodies that operations share. */
export const shared: AreaFacts = {
  operations: {
    getMe: {
      "200": "application/json Account (account)",
      at: "GET /api/v1/me",
      tag: "Account",
      ability: "bearerAuth",
      "200 headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      errors:
        "401 Unauthorized, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
  },
  responses: {
    Unauthorized: {
      body: "application/json ErrorResponse: unauthorized=unauthorized",
      headers: "X-Service-Request-Id*",
    },
    NoPlan: {
      body: "application/json ErrorResponse: no_plan=no_plan",
      headers: "X-Service-Request-Id*",
    },
    InternalServerError: {
      body: "application/json ErrorResponse: server_error=unspecified or no body",
      headers: "X-Service-Request-Id*",
    },
    BadGateway: {
      body: "application/json ErrorResponse: server_error=unspecified",
      headers: "X-Service-Request-Id*",
    },
    ServiceUnavailable: {
      body: "application/json ErrorResponse: server_error=unspecified",
      headers: "X-Service-Request-Id*",
    },
    Forbidden: {
      body: "application/json ErrorResponse: forbidden=forbidden",
      headers: "X-Service-Request-Id*",
    },
    RateLimited: {
      body: "application/json ErrorResponse: rate_limited=rate_limited",
      headers: "X-Service-Request-Id* Retry-After*",
    },
    UnknownPath: {
      body: "application/json ErrorResponse: not_found=not_found",
      headers: "X-Service-Request-Id*",
    },
    MethodNotAllowed: {
      body: "application/json ErrorResponse: method_not_allowed=method_not_allowed",
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
      ServiceRequestId: "RequestId",
      RetryAfter: "Count",
      OptionalRetryAfter: "Count",
    },
  },
  bodies: {
    ErrorDetail: {
      "": "object and more",
      type: "* ErrorType",
      message: "* string",
      fields: "ErrorFields",
      request_id: "* RequestId",
    },
    ErrorResponse: {
      "": "object and more",
      error: "* ErrorDetail",
    },
    Page: {
      "": "object and more",
      data: "* array of anything",
      has_more: "* boolean",
      next_cursor: "string|null",
    },
  },
};
