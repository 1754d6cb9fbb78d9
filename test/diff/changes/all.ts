import { answerChanges } from "./answers.ts";
import { boundChanges } from "./bounds.ts";
import type { LabelledChange } from "./change.ts";
import { operationChanges } from "./operations.ts";
import { rarerChanges } from "./rarer.ts";
import { requestChanges } from "./requests.ts";
import { tableChanges } from "./tables.ts";

/** Every labelled change of the contract. */
export const labelledChanges: LabelledChange[] = [
  ...requestChanges,
  ...boundChanges,
  ...answerChanges,
  ...operationChanges,
  ...tableChanges,
  ...rarerChanges,
];
