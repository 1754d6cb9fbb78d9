import type { Facts } from "../shape.ts";

/** The root of the document and its tables, in the notation of `readTables`. */
export const expectedTables: Facts = {
  root: {
    openapi: "3.1.1",
    servers: '[["{base_url}","https://api.example.com"]]',
    security: '[{"bearerAuth":[]}]',
    scheme: "bearerAuth http bearer",
    tags: "Emails Newsletter Account",
    products: "email newsletter none",
    newsletterErrors:
      "unauthorized forbidden no_plan invalid_request not_found idempotency_conflict rate_limited",
    abilities:
      "email:send newsletter:read newsletter:manage websites:read tickets:read domains:read billing:read",
    unspecified: "56 rows",
  },
  errors: {
    "500":
      "500 null backoff: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact getMe",
    "502":
      "502 null backoff: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact getMe",
    "503":
      "503 null backoff: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact getMe",
    "401.unauthorized":
      "401 unauthorized never: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact getMe",
    "402.no_plan":
      "402 no_plan never: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact",
    "403.forbidden":
      "403 forbidden never: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact",
    "403.send_rejected": "403 send_rejected never: sendEmail sendBatch",
    "404.not_found":
      "404 not_found never: getEmail rescheduleEmail cancelEmail upsertContact getContact unsubscribeContact",
    "404.not_found.path": "404 not_found never:",
    "405.method_not_allowed": "405 method_not_allowed never:",
    "409.send_rejected": "409 send_rejected never: sendEmail sendBatch",
    "409.idempotency_conflict": "409 idempotency_conflict never: sendEmail sendBatch upsertContact",
    "409.not_cancellable": "409 not_cancellable never: cancelEmail",
    "409.not_reschedulable": "409 not_reschedulable never: rescheduleEmail",
    "413.send_rejected": "413 send_rejected never: sendEmail sendBatch",
    "422.invalid_request":
      "422 invalid_request never: sendEmail sendBatch rescheduleEmail upsertContact unsubscribeContact",
    "422.send_rejected": "422 send_rejected never: sendEmail sendBatch",
    "429.rate_limited":
      "429 rate_limited after: sendEmail sendBatch getEmail rescheduleEmail cancelEmail listNewsletterLists listCustomFields upsertContact getContact unsubscribeContact getMe",
    "429.send_rejected": "429 send_rejected never: sendEmail sendBatch",
  },
  limits: {
    requestsPerMinute: "120 requests per minute",
    batchMessages: "100 messages",
    batchMessagesMinimum: "1 message",
    recipientsPerField: "50 email addresses",
    subjectLength: "998 characters",
    messageTags: "20 pairs",
    messageTagValueLength: "128 characters",
    extraHeaders: "10 headers",
    attachments: "20 attachments",
    messageSize: "28 megabytes",
    scheduleAhead: "30 days",
    messageLookup: "30 days",
    idempotencyWindow: "24 hours",
    idempotencyKeyLength: "256 characters",
    contactNameLength: "120 characters",
    contactFields: "20 values",
    contactTags: "20 tags",
    contactTagLength: "60 characters",
    pageSize: "100 items",
    callLog: "30 days",
    keyOverlap: "7 days",
    versionSupport: "12 months",
    deliveryConfirmation: "2 minutes",
  },
  message: {
    "0": "nothing -- send with scheduled_at (if) -> scheduled",
    "1": "scheduled -- reschedule (if) -> scheduled",
    "2": "scheduled -- cancel (if) -> canceled",
    "3": "scheduled -- the scheduled time arrives -> same",
    "4": "nothing -- send without scheduled_at (if) -> same",
    "5": "sent delivered bounced complained -- reschedule -> same, not_reschedulable",
    "6": "sent delivered bounced complained -- cancel -> same, not_cancellable",
    "7": "sent -- the receiving side confirms delivery -> delivered",
    "8": "sent -- the receiving server rejects the message -> bounced",
    "9": "delivered -- the recipient marks the message as spam -> complained",
    unspecified: "queued delayed rejected failed",
  },
  membership: {
    "0": "nothing -- add (if) -> pending",
    "1": "nothing -- add (if) -> subscribed",
    "2": "pending -- the contact clicks the confirmation -> subscribed",
    "3": "pending subscribed cleaned -- add -> same",
    "4": "unsubscribed complained -- add -> same",
    "5": "pending subscribed unsubscribed cleaned complained -- unsubscribe from everything -> unsubscribed",
    "6": "pending subscribed unsubscribed cleaned complained -- unsubscribe from one list -> unsubscribed",
    unspecified: "cleaned",
  },
  simulator: {
    domain: "{simulator_domain}",
    success: "sent delivered",
    bounce: "sent bounced",
    complaint: "sent delivered complained",
    suppressionlist: "",
  },
  versioning: {
    version: "v1",
    prefix: "/api/v1",
    added: "endpoints, optional request fields, response fields, headers, error types, webhook event types",
    never:
      "removing a field, renaming a field, changing the type of a field, making an optional field required",
  },
};
