import { oneOperationMutants } from "./all-operations.ts";
import type { ClientMutant } from "./client-mutant.ts";
import { requestMutants } from "./requests.ts";
import { responseMutants } from "./responses.ts";
import { retryMutants } from "./retries.ts";
import { valueMutants } from "./values.ts";

/** The mutants of all topics. */
export const clientMutants: readonly ClientMutant[] = [
  ...requestMutants,
  ...retryMutants,
  ...responseMutants,
  ...valueMutants,
  ...oneOperationMutants,
];
