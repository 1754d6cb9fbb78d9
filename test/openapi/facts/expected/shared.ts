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
      body: "application/json Error: unauthorized=unauthorized",
      headers: "X-Service-Request-Id*",
    },
    NoPlan: {
      body: "application/json Error: no_plan=no_plan",
      headers: "X-Service-Request-Id*",
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
    Forbidden: {
      body: "application/json Error: forbidden=forbidden",
      headers: "X-Service-Request-Id*",
    },
    RateLimited: {
      body: "application/json Error: rate_limited=rate_limited",
      headers: "X-Service-Request-Id* Retry-After*",
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
  },
  bodies: {
    Error: {
      "": "object",
      error: "* object",
      "error.type": "* ErrorType",
      "error.message": "* string",
      "error.fields": "ErrorFields",
      "error.request_id": "* RequestId",
    },
    Page: {
      "": "object",
      data: "* array of anything",
      has_more: "* boolean",
      next_cursor: "string|null",
    },
  },
};
