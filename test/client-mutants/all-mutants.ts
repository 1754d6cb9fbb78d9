import { adviceMutants } from "./advice.ts";
import { apiKeyMutants } from "./api-key.ts";
import { bodyMutants } from "./bodies.ts";
import { bodyValueMutants } from "./body-values.ts";
import type { ClientMutant } from "./client-mutant.ts";
import { connectionMutants } from "./connections.ts";
import { errorMutants } from "./errors.ts";
import { httpsMutants } from "./https.ts";
import { idempotencyMutants } from "./idempotency.ts";
import { oneOperationMutants } from "./one-operation.ts";
import { pathMutants } from "./paths.ts";
import { rateLimitMutants } from "./rate-limit.ts";
import { requestMutants } from "./requests.ts";
import { responseMutants } from "./responses.ts";
import { resultMutants } from "./results.ts";
import { retryMutants } from "./retries.ts";
import { unkeyedRetryMutants } from "./unkeyed-retries.ts";
import { unknownPartMutants } from "./unknown-parts.ts";

/** The mutants of all topics. */
export const clientMutants: readonly ClientMutant[] = [
  ...requestMutants,
  ...pathMutants,
  ...bodyMutants,
  ...bodyValueMutants,
  ...adviceMutants,
  ...apiKeyMutants,
  ...httpsMutants,
  ...idempotencyMutants,
  ...unkeyedRetryMutants,
  ...retryMutants,
  ...rateLimitMutants,
  ...connectionMutants,
  ...errorMutants,
  ...unknownPartMutants,
  ...responseMutants,
  ...resultMutants,
  ...oneOperationMutants,
];
