import { parseScenario } from "./scenario.ts";
import type { Scenario, TryData } from "./types.ts";

const name = "try-scenario";

/** The most steps that the next page does again. */
const mostSteps = 200;

/** What was done on earlier pages of this tab. */
export function savedScenario(data: TryData): Scenario | undefined {
  try {
    return parseScenario(sessionStorage.getItem(name) ?? "", data, mostSteps);
  } catch {
    return undefined;
  }
}

/** Keeps a scenario for the next page in this tab. If the browser disables storage, that starts anew. */
export function save(scenario: Scenario): void {
  try {
    if (scenario.steps.length === 0 || scenario.steps.length > mostSteps) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(scenario));
  } catch {
    // Too large, or disabled.
  }
}
