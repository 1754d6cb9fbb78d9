import { stringify } from "yaml";
import type { ExpectedFailure } from "../config/load.ts";
import { brief } from "../text.ts";
import { covers, isFailure, placesOf } from "./expected.ts";
import type { ContractResult } from "./result.ts";

/** Characters. */
const maxReason = 300;

const top = `# What fails in one run of email-api-contract. Say why in each reason, and give
# an entry an owner and a last day (until: 2026-12-31), after which it fails again.
`;

/**
 * A list of expected failures with what fails in a run. Entries of its own list stay as they are if they still fail, or the run does not show it; also
 * those that have expired.
 */
export function expectedFile(result: ContractResult): string {
  const places = placesOf(result);
  const entries: ExpectedFailure[] = (result.expectedFailures ?? [])
    .filter(({ state }) => state !== "passes")
    .map(({ state: _, covered: __, ...entry }) => entry);
  for (const place of places.filter(({ verdict }) => isFailure(verdict))) {
    if (entries.some((entry) => covers(entry, place))) continue;
    const { id, operation, name, item } = place;
    const others = places.filter((one) => one.id === id && one.operation === operation);
    // How many responses pass a rule is not known by operation.
    const isRule = !("verdict" in item);
    const isWhole = operation !== undefined && !isRule && others.every(({ verdict }) => isFailure(verdict));
    const ofCase = { ...(operation !== undefined && { operation }), case: name };
    entries.push({ id, ...(isWhole ? { operation } : ofCase), reason: brief(place.reason, maxReason) });
  }
  const order = result.requirements.map(({ id }) => id);
  const sorted = entries.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  return top + stringify(sorted, { lineWidth: 0 });
}
