import type { LabelledChange } from "./change.ts";
import { limitChanges } from "./limits.ts";
import { operationChanges } from "./operations.ts";
import { rarerChanges } from "./rarer.ts";
import { requestChanges } from "./requests.ts";
import { responseChanges } from "./responses.ts";
import { tableChanges } from "./tables.ts";

/** Every labelled change of the contract. */
export const labelledChanges: LabelledChange[] = [
  ...requestChanges,
  ...limitChanges,
  ...responseChanges,
  ...operationChanges,
  ...tableChanges,
  ...rarerChanges,
];
