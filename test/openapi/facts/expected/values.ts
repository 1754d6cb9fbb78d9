import type { Facts } from "../shape.ts";

/** The schemas of single values, arrays and maps, in the notation of `readSchemas`. */
export const expectedValues: Facts = {
  Account: {
    "": "object and more",
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
    "": "string not (/^[\\s\\S]*[\\r\\n][\\s\\S]*$/)",
  },
  ExtraHeaders: {
    "": "object named ExtraHeaderName of ExtraHeaderValue <=10",
  },
  FieldType: {
    "": "string closed: text number date url",
  },
  FieldValue: {
    "": "oneOf string | number double | null",
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
  MembershipFields: {
    "": "object of FieldValue",
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
    "": "object and more",
  },
  ScheduledMessageId: {
    "": "string /^sched_.*$/ starts with sched_",
  },
  SendRequest: {
    "": "oneOf ContentSend | TemplateSend",
  },
  SendTime: {
    "": "string date-time with offset any",
  },
  SenderEmailAddress: {
    "": "string email /^[^\\t-\\r <>@]+@[^\\t-\\r <>@]+$/",
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
    "": "string date-time with offset zero",
  },
  TimestampOrNull: {
    "": "string|null date-time with offset zero",
  },
};
