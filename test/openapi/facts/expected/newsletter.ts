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
  },
  bodies: {
    Contact: {
      "": "object",
      email: "* ContactEmailAddress",
      marketing_blocked: "* boolean",
      lists: "* array of Membership",
    },
    CustomField: {
      "": "object",
      key: "* string",
      label: "* string",
      type: "* FieldType",
      fallback: "* string|null",
    },
    CustomFields: {
      "": "object",
      fields: "* array of CustomField",
    },
    Membership: {
      "": "object",
      list_id: "* ListId",
      email: "* ContactEmailAddress",
      status: "* MembershipStatus",
      status_description: "* string",
      first_name: "* string|null",
      last_name: "* string|null",
      fields: "* object of FieldValue",
      tags: "* array of string",
      subscribed_at: "* TimestampOrNull",
      unsubscribed_at: "* TimestampOrNull",
    },
    NewsletterList: {
      "": "object",
      id: "* ListId",
      name: "* string",
      double_opt_in: "* boolean",
    },
    NewsletterLists: {
      "": "object",
      lists: "* array of NewsletterList",
    },
  },
};
