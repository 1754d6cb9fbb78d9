import type { Facts } from "../shape.ts";

/** The schemas of single values, arrays and maps, in the notation of `readSchemas`. */
export const expectedValues: Facts = {
  Account: {
    "": "object",
  },
  EmailAddress: {
    "": "string email",
  },
  EmailAddresses: {
    "": "array of EmailAddress <=50",
  },
  Attachment: {
    "": "oneOf ContentAttachment | LinkAttachment",
  },
  AttachmentContentId: {
    "": "string",
  },
  AttachmentContentType: {
    "": "string default application/octet-stream",
  },
  AttachmentFilename: {
    "": "string",
  },
  Attachments: {
    "": "array of Attachment <=20",
  },
  BatchMessage: {
    "": "oneOf BatchContentMessage | BatchTemplateMessage",
  },
  BounceOrNull: {
    "": "anyOf Bounce | null",
  },
  ContactEmailAddress: {
    "": "string email /^[^A-Z]*$/",
  },
  ContactTag: {
    "": "string <=60",
  },
  ContactTags: {
    "": "array of ContactTag <=20",
  },
  Count: {
    "": "integer int64",
  },
  ErrorFields: {
    "": "object of array of string",
  },
  ErrorType: {
    "": "string open: unauthorized no_plan forbidden send_rejected not_found method_not_allowed idempotency_conflict not_cancellable not_reschedulable invalid_request rate_limited",
  },
  EventType: {
    "": "string open: sent bounced",
  },
  ExtraHeaderName: {
    "": "string /^([Xx]-[!-9;-~]*|[Ll][Ii][Ss][Tt]-[Uu][Nn][Ss][Uu][Bb][Ss][Cc][Rr][Ii][Bb][Ee](-[Pp][Oo][Ss][Tt])?)$/",
  },
  ExtraHeaderValue: {
    "": "string not (/[\\r\\n]/)",
  },
  ExtraHeaders: {
    "": "object named ExtraHeaderName of ExtraHeaderValue <=10",
  },
  FieldType: {
    "": "string closed: text number date url",
  },
  FieldValue: {
    "": "string|number|null",
  },
  FieldValues: {
    "": "object of FieldValue <=20",
  },
  HtmlBody: {
    "": "string",
  },
  IdempotencyKey: {
    "": "string <=256",
  },
  ListId: {
    "": "integer int64",
  },
  MembershipStatus: {
    "": "string closed: pending subscribed unsubscribed cleaned complained",
  },
  MessageId: {
    "": "string",
  },
  MessageStatus: {
    "": "string closed: scheduled queued sent delivered delayed bounced complained rejected failed canceled",
  },
  MessageTagName: {
    "": "string /^[A-Za-z0-9_:.-]*$/",
  },
  MessageTagValue: {
    "": "string <=128",
  },
  MessageTags: {
    "": "object named MessageTagName of MessageTagValue <=20",
  },
  PageCursor: {
    "": "string",
  },
  PageSize: {
    "": "integer int32 <=100",
  },
  PersonName: {
    "": "string <=120",
  },
  ReplyTo: {
    "": "string email",
  },
  RequestId: {
    "": "string",
  },
  RescheduleResponse: {
    "": "object",
  },
  ScheduledMessageId: {
    "": "string /^sched_/ starts with sched_",
  },
  SendResponse: {
    "": "anyOf AcceptedEmail | ScheduledEmail (with scheduled_at: ScheduledEmail, else AcceptedEmail)",
  },
  SendRequest: {
    "": "oneOf ContentSend | TemplateSend",
  },
  SendTime: {
    "": "string date-time /([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)$/",
  },
  SenderEmailAddress: {
    "": "string email /^[^\\s<>@]+@[^\\s<>@]+$/",
  },
  Subject: {
    "": "string <=998",
  },
  SuppressedRecipients: {
    "": "array of EmailAddress",
  },
  TemplateId: {
    "": "string",
  },
  TemplateVariables: {
    "": "object of anything",
  },
  TextBody: {
    "": "string",
  },
  Timestamp: {
    "": "string date-time /(Z|[+-]00:00)$/",
  },
  TimestampOrNull: {
    "": "string|null date-time /(Z|[+-]00:00)$/",
  },
};
