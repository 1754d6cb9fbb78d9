import type { ClientCheck } from "../engine/client-check.ts";
import { bodyChecks } from "./bodies.ts";
import { errorChecks } from "./errors.ts";
import { pathChecks } from "./paths.ts";
import { rateLimitChecks } from "./rate-limit.ts";
import { requestChecks } from "./requests.ts";
import { responseChecks } from "./responses.ts";
import { retryChecks } from "./retries.ts";
import { timeoutChecks } from "./timeouts.ts";
import { unknownTypeChecks } from "./unknown-types.ts";

/** The checks of the client suite. */
export const clientChecks: readonly ClientCheck[] = [
  ...requestChecks,
  ...bodyChecks,
  ...pathChecks,
  ...responseChecks,
  ...unknownTypeChecks,
  ...errorChecks,
  ...retryChecks,
  ...rateLimitChecks,
  ...timeoutChecks,
];
