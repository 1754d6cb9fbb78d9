export type { OperationErrors } from "../../generated/client/errors.ts";
export type {
  AcceptedEmail,
  Account,
  Attachment,
  BatchItem,
  BatchMessage,
  BatchRequest,
  BatchResponse,
  Bounce,
  CancelResponse,
  Consent,
  Contact,
  ContactRequest,
  ContentAttachment,
  ContentSend,
  CustomField,
  CustomFields,
  Error as ErrorBody,
  ErrorFields,
  ErrorType,
  EventType,
  LinkAttachment,
  Membership,
  MembershipStatus,
  Message,
  MessageEvent,
  MessageStatus,
  NewsletterList,
  NewsletterLists,
  RescheduleRequest,
  RescheduleResponse,
  ScheduledEmail,
  SendRequest,
  SendResponse,
  TemplateSend,
  UnsubscribeRequest,
} from "../../generated/client/models.ts";
export type { Answer, Budget, Call } from "./answer.ts";
export { type AttachOptions, attach, type Source } from "./attach.ts";
export { type Client, createClient, type Emails, type Newsletter } from "./client.ts";
export { type Connection, connect } from "./connect.ts";
export {
  ApiError,
  CallError,
  type Circumstances,
  ConnectionError,
  type Problem,
  TimeoutError,
} from "./errors.ts";
export { type CallEvent, type Hook, hooks } from "./events.ts";
export { type ErrorOf, fieldsByMessage, isErrorOf } from "./guards.ts";
export { createLimiter, type LimiterOptions } from "./limiter.ts";
export * from "./operations.ts";
export type { MessageResult, Part, SendAllOptions, SendAllResult } from "./send-all.ts";
export type { CallOptions, ClientOptions, Clock, KeyedOptions, Limits, Policy } from "./settings.ts";
export { StateError, type WaitOptions } from "./wait-for.ts";
