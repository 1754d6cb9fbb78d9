import { allMutants } from "../../mutants/all-mutants.ts";
import { cases } from "./kills.ts";
import { type Candidate, candidatesOf, countKilled, select } from "./select.ts";

/** Of the first seeds of each case. */
const seeds = 400;
/** For all cases, so that the profile `full` has at most 3,500. */
const mostRequests = 1800;

/**
 * Selects sequences by the mutants that they kill, and prints what to write in `selected.ts`. Also selects by one half of the mutants, and
 * prints how many of the other half these sequences kill.
 */
export async function printSelection(): Promise<void> {
  const mutants = await allMutants();
  const candidates = await candidatesOf(mutants, seeds);
  const selected = select(candidates, mutants, mostRequests);
  for (const of of cases)
    console.log(`${of.product}${of.canWait ? " with clock moves" : ""}: "${listOf(selected, of)}"`);
  console.log(`${countKilled(selected, mutants)} of ${mutants.length} mutants killed`);
  for (const parity of [0, 1]) {
    const half = mutants.filter((_, index) => index % 2 === parity);
    const others = mutants.filter((mutant) => !half.includes(mutant));
    const ofHalf = select(candidates, half, mostRequests);
    console.log(
      `by ${half.length} of the mutants: ${countKilled(ofHalf, half)} of them, ${countKilled(ofHalf, others)} of the others`,
    );
  }
}

const listOf = (selected: ReadonlyMap<Candidate, number>, of: Candidate["of"]): string =>
  [...selected]
    .filter(([candidate]) => candidate.of === of)
    .map(([{ seed }, length]) => `${seed}:${length}`)
    .join(" ");
