import type { ClientCheck } from "../engine/client-check.ts";
import { bodyChecks } from "./bodies.ts";
import { encryptionChecks } from "./encryption.ts";
import { errorDetailChecks } from "./error-details.ts";
import { errorChecks } from "./errors.ts";
import { exposureChecks } from "./exposure.ts";
import { failureChecks } from "./failures.ts";
import { flowChecks } from "./flows.ts";
import { idempotencyChecks } from "./idempotency.ts";
import { pathChecks } from "./paths.ts";
import { rateLimitChecks } from "./rate-limit.ts";
import { requestChecks } from "./requests.ts";
import { responseChecks } from "./responses.ts";
import { retryChecks } from "./retries.ts";
import { sendingChecks } from "./sending.ts";
import { timeoutChecks } from "./timeouts.ts";
import { unknownTypeChecks } from "./unknown-types.ts";
import { unreadableChecks } from "./unreadable.ts";

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
