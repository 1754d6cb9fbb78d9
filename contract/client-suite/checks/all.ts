import type { ClientCheck } from "../engine/client-tester.ts";
import { errorChecks, errorDetailChecks, failureChecks } from "./errors.ts";
import { flowChecks } from "./flows.ts";
import { idempotencyChecks } from "./idempotency.ts";
import { pathChecks } from "./paths.ts";
import { bodyChecks, requestChecks, sendingChecks } from "./requests.ts";
import { responseChecks, unknownTypeChecks, unreadableChecks } from "./responses.ts";
import { rateLimitChecks, retryChecks, timeoutChecks } from "./retries.ts";
import { encryptionChecks, exposureChecks } from "./security.ts";

/** The checks of the client suite. */
export const clientChecks: readonly ClientCheck[] = [
  ...requestChecks,
  ...bodyChecks,
  ...pathChecks,
  ...responseChecks,
  ...unknownTypeChecks,
  ...errorChecks,
  ...errorDetailChecks,
  ...failureChecks,
  ...unreadableChecks,
  ...retryChecks,
  ...rateLimitChecks,
  ...timeoutChecks,
  ...idempotencyChecks,
  ...sendingChecks,
  ...flowChecks,
  ...exposureChecks,
  ...encryptionChecks,
];
