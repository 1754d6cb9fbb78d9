import { type PlannedCase, selectedCases } from "../plan.ts";
import { clientChecks } from "./checks/all.ts";
import type { ClientTester } from "./engine/client-tester.ts";
import type { ClientProfile } from "./profiles.ts";

/**
 * The test cases of a run.
 * @param grep only checks whose ids and title it matches
 */
export const clientCases = (profile: ClientProfile, grep?: RegExp): PlannedCase<ClientTester>[] =>
  selectedCases(clientChecks, profile, grep);

/** The requirements that a run is to verify. */
export const requirementsOfCases = (cases: readonly PlannedCase<ClientTester>[]): Set<string> =>
  new Set(cases.flatMap(({ check }) => check.ids));
