import { concurrencyFaults } from "./concurrency.ts";
import { contentFaults } from "./content.ts";
import { effectFaults } from "./effects.ts";
import type { IndependentFault } from "./fault.ts";
import { idempotencyFaults } from "./idempotency.ts";
import { limitFaults } from "./limits.ts";
import { recordFaults } from "./records.ts";
import { reportedFaults } from "./reports.ts";
import { robustnessFaults } from "./robustness.ts";
import { timeFaults } from "./time.ts";

/** In the order of their index, which files of outcomes have: new ones go to the end. */
export const independentFaults: readonly IndependentFault[] = [
  ...contentFaults,
  ...limitFaults,
  ...concurrencyFaults,
  ...robustnessFaults,
  ...effectFaults,
  ...timeFaults,
  ...recordFaults,
  ...idempotencyFaults,
  ...reportedFaults,
];
