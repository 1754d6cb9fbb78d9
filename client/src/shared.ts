// What the face for other programs' `fetch` takes from the file of the main entry: a file of their own would cost every program a part of
// its start, and a copy would have errors of its own. Of these, only what the types of the two entries name is public.
export {
  idempotencyKeyPattern,
  idempotentOperations,
  requestIdHeader,
} from "../../generated/client/table.ts";
export { answerOf } from "./answer.ts";
export { ApiError, CallError, ConnectionError, TimeoutError } from "./errors.ts";
export { hooks } from "./events.ts";
export { exchange } from "./exchange.ts";
export { createLimiter } from "./limiter.ts";
export { notInPage } from "./page.ts";
export { addressForm, keyForm, parameterForm, usable } from "./usable.ts";
