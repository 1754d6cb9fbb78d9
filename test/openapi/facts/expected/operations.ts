import type { Facts } from "../shape.ts";

/** The requests and responses of each operation, in the notation of `readOperations`. */
export const expectedOperations: Facts = {
  sendEmail: {
    at: "POST /api/v1/emails",
    tag: "Emails",
    ability: "bearerAuth email:send",
    parameters: "Idempotency-Key in header IdempotencyKey",
    request: "* application/json SendRequest (receipt all_fields inline_image template scheduled simulator)",
    "202": "application/json SendResponse (accepted partially_suppressed scheduled)",
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
  listNewsletterLists: {
    at: "GET /api/v1/newsletter/lists",
    tag: "Newsletter",
    ability: "bearerAuth newsletter:read",
    "2XX": "application/json NewsletterLists (two_lists)",
    "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
    "2XX links": 'upsertContact {"email":"ada@example.com","list_id":"$response.body#/lists/0/id"}',
    errors:
      "401 Unauthorized, 402 NoPlan, 403 Forbidden, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
  listCustomFields: {
    at: "GET /api/v1/newsletter/fields",
    tag: "Newsletter",
    ability: "bearerAuth newsletter:read",
    "2XX": "application/json CustomFields (all_types)",
    "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
    errors:
      "401 Unauthorized, 402 NoPlan, 403 Forbidden, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
  upsertContact: {
    at: "POST /api/v1/newsletter/contacts",
    tag: "Newsletter",
    ability: "bearerAuth newsletter:manage",
    parameters: "Idempotency-Key in header IdempotencyKey",
    request: "* application/json ContactRequest (signup required_fields clear_field)",
    "200": "application/json Membership (updated not_resubscribed)",
    "200 headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining* Idempotent-Replayed",
    "200 links":
      'getContact {"email":"$response.body#/email"}, unsubscribeContact {"email":"$response.body#/email"}',
    "201": "application/json Membership (pending subscribed)",
    "201 headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining* Idempotent-Replayed",
    "201 links":
      'getContact {"email":"$response.body#/email"}, unsubscribeContact {"email":"$response.body#/email"}',
    errors:
      "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 ListNotFound, 409 IdempotencyConflict, 422 ContactInvalid, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
  getContact: {
    at: "GET /api/v1/newsletter/contacts/{email}",
    tag: "Newsletter",
    ability: "bearerAuth newsletter:read",
    parameters: "email in path* EmailAddress",
    "2XX": "application/json Contact (on_two_lists)",
    "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
    errors:
      "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 ContactNotFound, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
  unsubscribeContact: {
    at: "POST /api/v1/newsletter/contacts/{email}/unsubscribe",
    tag: "Newsletter",
    ability: "bearerAuth newsletter:manage",
    parameters: "email in path* EmailAddress",
    request: "* application/json UnsubscribeRequest (one_list all_marketing)",
    "2XX": "application/json Contact (unsubscribed_from_one unsubscribed_from_all)",
    "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
    errors:
      "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 ContactOrListNotFound, 422 UnsubscribeInvalid, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
  getMe: {
    at: "GET /api/v1/me",
    tag: "Account",
    ability: "bearerAuth",
    "200": "application/json Account (account)",
    "200 headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
    errors:
      "401 Unauthorized, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
  },
};
