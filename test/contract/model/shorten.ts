import { isDeepStrictEqual } from "node:util";
import type { Arbitrary } from "fast-check";
import type { Tester } from "../engine/tester.ts";
import type { Step } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";

type Steps = readonly Step[];

/**
 * Looks for a mismatch with as few steps as possible, each as simple as possible.
 *
 * @param arbitrary of sequences, which knows simpler steps
 * @param isOver asked before each attempt
 */
export async function shortened(
  tester: Tester,
  mismatch: Mismatch,
  arbitrary: Arbitrary<Step[]>,
  isOver: () => boolean,
): Promise<Mismatch> {
  let best = mismatch;
  const replaced = async (candidates: Iterable<Steps>): Promise<boolean> => {
    for (const steps of candidates) {
      if (isOver()) return false;
      const found = await walk(tester, steps);
      if (found === undefined) continue;
      best = found;
      return true;
    }
    return false;
  };
  while (await replaced(shorter(best.steps)));
  while (await replaced(simpler(best.steps, arbitrary)));
  while (await replaced(shorter(best.steps)));
  return best;
}

/** The same steps without some that follow each other: first without many, then without one. The last step stays, which does not match. */
function* shorter(steps: Steps): Generator<Steps> {
  const last = steps.length - 1;
  for (let size = Math.ceil(last / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = last; end > 0; end -= size)
      yield [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
}

/** The same steps with one of them simpler. */
function* simpler(steps: Steps, arbitrary: Arbitrary<Step[]>): Generator<Steps> {
  for (const [index, step] of steps.entries())
    for (const { value } of arbitrary.shrink([step], undefined)) {
      const [other] = value;
      if (other !== undefined && !isDeepStrictEqual(other, step)) yield steps.with(index, other);
    }
}
