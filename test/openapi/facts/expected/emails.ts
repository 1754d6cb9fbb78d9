import type { AreaFacts } from "../shape.ts";

/** The operations on emails, with their own responses and response bodies. */
export const emails: AreaFacts = {
  operations: {
    sendEmail: {
      "202": "application/json SendResponse (accepted partially_suppressed scheduled)",
      at: "POST /api/v1/emails",
      tag: "Emails",
      ability: "bearerAuth email:send",
      parameters: "Idempotency-Key in header IdempotencyKey",
      request:
        "* application/json SendRequest (receipt all_fields inline_image template scheduled simulator)",
      "202 headers":
        "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining* X-Service-Monthly-Quota* X-Service-Monthly-Remaining* Idempotent-Replayed",
      "202 links":
        'getEmail {"id":"$response.body#/id"}, rescheduleEmail {"id":"$response.body#/id"}, cancelEmail {"id":"$response.body#/id"}',
      errors:
        "401 Unauthorized, 402 NoPlan, 403 SendForbidden, 409 SendConflict, 413 MessageTooLarge, 422 SendInvalid, 429 SendLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
    sendBatch: {
      at: "POST /api/v1/emails/batch",
      tag: "Emails",
      ability: "bearerAuth email:send",
      parameters: "Idempotency-Key in header IdempotencyKey",
      request: "* application/json BatchRequest (two_receipts template)",
      "2XX": "application/json BatchResponse (accepted)",
      "2XX headers":
        "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining* X-Service-Monthly-Quota* X-Service-Monthly-Remaining* Idempotent-Replayed",
      "2XX links": 'getEmail {"id":"$response.body#/data/0/id"}',
      errors:
        "401 Unauthorized, 402 NoPlan, 403 SendForbidden, 409 SendConflict, 413 MessageTooLarge, 422 BatchInvalid, 429 SendLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
    getEmail: {
      at: "GET /api/v1/emails/{id}",
      tag: "Emails",
      ability: "bearerAuth email:send",
      parameters: "id in path* MessageId",
      "2XX": "application/json Message (sent delivered scheduled canceled bounced complained)",
      "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      errors:
        "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 MessageNotFound, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
    rescheduleEmail: {
      at: "PATCH /api/v1/emails/{id}",
      tag: "Emails",
      ability: "bearerAuth email:send",
      parameters: "id in path* MessageId",
      request: "* application/json RescheduleRequest (one_week_later)",
      "2XX": "application/json RescheduleResponse (rescheduled)",
      "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      "2XX links": 'getEmail {"id":"$request.path.id"}',
      errors:
        "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 MessageNotFound, 409 NotReschedulable, 422 RescheduleInvalid, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
    cancelEmail: {
      at: "DELETE /api/v1/emails/{id}",
      tag: "Emails",
      ability: "bearerAuth email:send",
      parameters: "id in path* MessageId",
      "2XX": "application/json CancelResponse (canceled)",
      "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      "2XX links": 'getEmail {"id":"$request.path.id"}',
      errors:
        "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 MessageNotFound, 409 NotCancellable, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
  },
  responses: {
    SendForbidden: {
      body: "application/json ErrorResponse: forbidden=forbidden send_rejected=send_rejected",
      headers: "X-Service-Request-Id*",
    },
    SendConflict: {
      body: "application/json ErrorResponse: send_rejected=send_rejected send_rejected_stopped=send_rejected idempotency_conflict=idempotency_conflict",
      headers: "X-Service-Request-Id*",
    },
    MessageTooLarge: {
      body: "application/json ErrorResponse: send_rejected=send_rejected",
      headers: "X-Service-Request-Id*",
    },
    SendInvalid: {
      body: "application/json ErrorResponse: invalid_request=invalid_request invalid_request_attachment=invalid_request send_rejected=send_rejected send_rejected_no_domain=send_rejected",
      headers: "X-Service-Request-Id*",
    },
    SendLimited: {
      body: "application/json ErrorResponse: rate_limited=rate_limited send_rejected=send_rejected",
      headers: "X-Service-Request-Id* Retry-After",
    },
    BatchInvalid: {
      body: "application/json ErrorResponse: invalid_request=invalid_request send_rejected=send_rejected",
      headers: "X-Service-Request-Id*",
    },
    MessageNotFound: {
      body: "application/json ErrorResponse: not_found=not_found",
      headers: "X-Service-Request-Id*",
    },
    NotReschedulable: {
      body: "application/json ErrorResponse: not_reschedulable=not_reschedulable",
      headers: "X-Service-Request-Id*",
    },
    RescheduleInvalid: {
      body: "application/json ErrorResponse: invalid_request=invalid_request invalid_request_too_far_ahead=invalid_request",
      headers: "X-Service-Request-Id*",
    },
    NotCancellable: {
      body: "application/json ErrorResponse: not_cancellable=not_cancellable",
      headers: "X-Service-Request-Id*",
    },
  },
  bodies: {
    BatchResponse: {
      "": "object and more",
      data: "* array of BatchItem",
    },
    BatchItem: {
      "": "object and more",
      id: "* ScheduledMessageId",
      suppressed: "* SuppressedRecipients",
    },
    Bounce: {
      "": "object and more",
      type: "* string",
      subtype: "* string",
      permanent: "* boolean",
      summary: "* string",
      what_to_do: "* string",
      diagnostic: "* string",
    },
    CancelResponse: {
      "": "object and more",
      status: "* string = canceled",
    },
    Message: {
      "": "object and more",
      id: "* MessageId",
      from: "* string",
      to: "* array of EmailAddress",
      subject: "* string",
      tags: "* MessageTags",
      status: "* MessageStatus",
      status_description: "* string",
      scheduled_at: "* TimestampOrNull",
      sent_at: "* TimestampOrNull",
      delivered_at: "* TimestampOrNull",
      bounced_at: "* TimestampOrNull",
      complained_at: "* TimestampOrNull",
      bounce: "* BounceOrNull",
      events: "* array of MessageEvent",
    },
    MessageEvent: {
      "": "object and more",
      type: "* EventType",
      at: "* Timestamp",
      detail: "* string|null",
    },
    SendResponse: {
      "": "object and more scheduled_at as in the request if has scheduled_at then id ScheduledMessageId, suppressed SuppressedRecipients, and more else has to",
      id: "* MessageId",
      to: "array of EmailAddress",
      scheduled_at: "Timestamp",
      suppressed: "* SuppressedRecipients",
    },
  },
};
