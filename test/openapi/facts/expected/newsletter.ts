import type { AreaFacts } from "../shape.ts";

/** The operations on the newsletter, with their own responses and response bodies. */
export const newsletter: AreaFacts = {
  operations: {
    listNewsletterLists: {
      at: "GET /api/v1/newsletter/lists",
      tag: "Newsletter",
      ability: "bearerAuth newsletter:read",
      "2XX": "application/json NewsletterLists (two_lists)",
      "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      "2XX links": "upsertContact {}",
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
      "200": "application/json Membership (updated not_resubscribed)",
      "201": "application/json Membership (pending subscribed)",
      at: "POST /api/v1/newsletter/contacts",
      tag: "Newsletter",
      ability: "bearerAuth newsletter:manage",
      parameters: "Idempotency-Key in header IdempotencyKey",
      request: "* application/json ContactRequest (signup required_fields clear_field)",
      "200 headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining* Idempotent-Replayed",
      "200 links":
        'getContact {"email":"$response.body#/email"}, unsubscribeContact {"email":"$response.body#/email"}',
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
      request: "application/json UnsubscribeRequest (one_list all_marketing)",
      "2XX": "application/json Contact (unsubscribed_from_one unsubscribed_from_all)",
      "2XX headers": "X-Service-Request-Id* X-RateLimit-Limit* X-RateLimit-Remaining*",
      errors:
        "401 Unauthorized, 402 NoPlan, 403 Forbidden, 404 ContactOrListNotFound, 422 UnsubscribeInvalid, 429 RateLimited, 500 InternalServerError, 502 BadGateway, 503 ServiceUnavailable",
    },
  },
  responses: {
    ListNotFound: {
      body: "application/json ErrorResponse: not_found=not_found",
      headers: "X-Service-Request-Id*",
    },
    IdempotencyConflict: {
      body: "application/json ErrorResponse: idempotency_conflict=idempotency_conflict",
      headers: "X-Service-Request-Id*",
    },
    ContactInvalid: {
      body: "application/json ErrorResponse: invalid_request=invalid_request",
      headers: "X-Service-Request-Id*",
    },
    ContactNotFound: {
      body: "application/json ErrorResponse: not_found=not_found",
      headers: "X-Service-Request-Id*",
    },
    ContactOrListNotFound: {
      body: "application/json ErrorResponse: not_found=not_found not_found_list=not_found",
      headers: "X-Service-Request-Id*",
    },
    UnsubscribeInvalid: {
      body: "application/json ErrorResponse: invalid_request=invalid_request",
      headers: "X-Service-Request-Id*",
    },
  },
  bodies: {
    Contact: {
      "": "object and more",
      email: "* ContactEmailAddress",
      marketing_blocked: "* boolean",
      lists: "* array of Membership",
    },
    CustomField: {
      "": "object and more",
      key: "* string",
      label: "* string",
      type: "* FieldType",
      fallback: "* string|null",
    },
    CustomFields: {
      "": "object and more",
      fields: "* array of CustomField",
    },
    Membership: {
      "": "object and more",
      list_id: "* ListId",
      email: "* ContactEmailAddress",
      status: "* MembershipStatus",
      status_description: "* string",
      first_name: "* string|null",
      last_name: "* string|null",
      fields: "* MembershipFields",
      tags: "* array of string",
      subscribed_at: "* TimestampOrNull",
      unsubscribed_at: "* TimestampOrNull",
    },
    NewsletterList: {
      "": "object and more",
      id: "* ListId",
      name: "* string",
      double_opt_in: "* boolean",
    },
    NewsletterLists: {
      "": "object and more",
      lists: "* array of NewsletterList",
    },
  },
};
