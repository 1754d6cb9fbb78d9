import fc from "fast-check";
import { AssertionFailure } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import { type Step, type StepOptions, sequences } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";

export interface SearchOptions extends StepOptions {
  sequences: number;
  /** No further sequence is started after this time. */
  seconds: number;
  seed: number;
  /** Default: true. */
  shorten?: boolean;
}

/**
 * Tries sequences until one does not match the model, and then shorter ones.
 *
 * @throws AssertionFailure with the requests of the shortest sequence found, and whatever a request throws: Unreachable, NotVerified
 */
export async function search(
  tester: Tester,
  { sequences: numRuns, seconds, seed, shorten = true, ...options }: SearchOptions,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (const steps of fc.sample(sequences(options), { seed, numRuns })) {
    if (performance.now() > end) return;
    tester.exchanges.length = 0;
    const found = await walk(tester, steps);
    if (found === undefined) continue;
    const { exchange, ids, ...mismatch } = shorten ? await shortened(tester, found) : found;
    throw new AssertionFailure(exchange, mismatch, ids);
  }
}

/** The mismatch with as few steps as possible; the tester keeps its exchanges. */
async function shortened(tester: Tester, mismatch: Mismatch): Promise<Mismatch> {
  const exchanges = tester.exchanges.slice();
  for (const steps of shorter(mismatch.steps)) {
    tester.exchanges.length = 0;
    const found = await walk(tester, steps);
    if (found !== undefined) return shortened(tester, found);
  }
  tester.exchanges.splice(0, tester.exchanges.length, ...exchanges);
  return mismatch;
}

/** The same steps without some that follow each other: first without many, then without one. The last step stays, which does not match. */
function* shorter(steps: readonly Step[]): Generator<Step[]> {
  const last = steps.length - 1;
  for (let size = Math.ceil(last / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = last; end > 0; end -= size)
      yield [...steps.slice(0, Math.max(0, end - size)), ...steps.slice(end)];
}
