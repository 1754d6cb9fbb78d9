export type { OperationErrors } from "../../generated/client/errors.ts";
export type * from "../../generated/client/models.ts";
export { type AttachmentSource, type AttachOptions, attach } from "./attach.ts";
export {
  type AcceptedEmail,
  type Client,
  createClient,
  type Emails,
  type Newsletter,
  type ScheduledEmail,
} from "./client.ts";
export { type Connection, connect } from "./connect.ts";
export {
  ApiError,
  ConnectionError,
  type ErrorDetails,
  type ErrorOf,
  fieldsByMessage,
  isErrorOf,
  RequestError,
  TimeoutError,
} from "./errors.ts";
export { createLimiter, type LimiterOptions } from "./limiter.ts";
export * from "./operations.ts";
export {
  type AttemptOptions,
  type ClientOptions,
  type Clock,
  type Hook,
  hooks,
  type IdempotentRequestOptions,
  type RequestDetails,
  type RequestEvent,
  type RequestOptions,
  type SharedOptions,
} from "./options.ts";
export type { ApiPromise, ApiResponse, LimitStatus } from "./response.ts";
export type { MessageResult, Part, SendAllOptions, SendAllResult } from "./send-all.ts";
export { StateError, type WaitOptions } from "./time.ts";
