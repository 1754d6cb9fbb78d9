import fc, { type Arbitrary } from "fast-check";
import { AssertionFailure, NotVerified } from "../engine/assert.ts";
import type { Fixtures } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { idsOfRemaining } from "./rules/allowance.ts";
import { shortened } from "./shorten.ts";
import { type Step, type StepOptions, sequences } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";
import type { Json } from "./world.ts";

/** The first steps of the sequence of a seed. */
export interface Selected {
  seed: number;
  length: number;
}

export interface SearchOptions extends Omit<StepOptions, "turn"> {
  sequences: number;
  /** No further sequence is started after this time. */
  seconds: number;
  /** Of the first sequence; each of the others has the next number. */
  seed: number;
  /** Default: true. */
  shorten?: boolean;
  /** These sequences, instead of those from a seed on. */
  selected?: readonly Selected[] | undefined;
}

/** A mismatch, and the seed of its sequence. */
type Seeded = Mismatch & { seed: number };

/** What a search tried and found. */
export interface Found {
  sequences: number;
  steps: number;
  /** The shortest one found, which shows again each time. */
  mismatch?: Seeded;
  /** One that did not show again. */
  once?: Seeded;
}

/** The longest time for finding a shorter sequence, in milliseconds. */
const mostShortening = 180_000;
/** With clock moves, the values that come in turn begin elsewhere. */
const otherHalf = 31;
const largestSeed = 2 ** 31 - 1;

/** The sequences that a seed can lead to. */
export const sequencesOf = (seed: number, options: Omit<StepOptions, "turn">): Arbitrary<Step[]> =>
  fc.noBias(sequences({ ...options, turn: seed + (options.canWait ? otherHalf : 0) }));

/** The sequence of a seed. */
export const stepsOf = (seed: number, arbitrary: Arbitrary<Step[]>): Step[] =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0] ?? [];

/** Tries sequences until one does not match the model, also when it is sent again. */
export async function explore(
  tester: Tester,
  { seconds, shorten = true, selected, ...options }: SearchOptions,
): Promise<Found> {
  const end = performance.now() + seconds * 1000;
  const tried: Found = { sequences: 0, steps: 0 };
  for (const { seed, length } of selected ?? inOrder(options)) {
    if (performance.now() >= end) break;
    const arbitrary = sequencesOf(seed, options);
    const steps = stepsOf(seed, arbitrary).slice(0, length);
    tried.sequences += 1;
    tried.steps += steps.length;
    const found = await walk(tester, steps);
    if (found === undefined) continue;
    if (isOfConfigured(found, tester.settings.fixtures) && (await walk(tester, found.steps)) === undefined)
      return { ...tried, mismatch: { ...found, seed } };
    const endOfShortening = performance.now() + (shorten ? mostShortening : 0);
    const short = await shortened(tester, found, arbitrary, () => performance.now() > endOfShortening);
    const again = (await repeated(tester, short)) ?? (await repeated(tester, found));
    if (again !== undefined) return { ...tried, mismatch: { ...again, seed } };
    if (isOfRemaining(found)) tester.run.markShared();
    else tried.once ??= { ...found, seed };
  }
  return tried;
}

/** As many sequences as wanted: that of the first seed, of the next one, and so on. */
function* inOrder({ sequences: most, seed, maxLength }: Omit<SearchOptions, "seconds">): Generator<Selected> {
  for (let count = 0; count < most; count += 1)
    yield { seed: ((seed + count - 1) % largestSeed) + 1, length: maxLength };
}

/**
 * Tries sequences until one does not match the model.
 *
 * @throws AssertionFailure with the requests of the shortest sequence found, NotVerified for a mismatch that does not show again, and whatever
 * a request throws
 */
export async function search(tester: Tester, options: SearchOptions): Promise<void> {
  const { mismatch, once } = await explore(tester, options);
  const found = mismatch ?? once;
  if (tester.run.isShared) for (const id of idsOfRemaining) tester.compared.delete(id);
  if (found === undefined) return;
  const { exchange, exchanges, ids, expected, seed } = found;
  tester.exchanges.splice(0, Number.POSITIVE_INFINITY, ...exchanges);
  if (mismatch !== undefined) throw new AssertionFailure(exchange, found, ids);
  throw new NotVerified(
    `A response was wrong once, and right when the same requests were sent again: expected ${expected}, found ${found.found} (--seed ${seed}).`,
    ids,
  );
}

/** Whether a mismatch is about a contact of the configuration, whose state before the steps cannot be had again. */
function isOfConfigured({ exchange: { request }, steps }: Mismatch, { contacts = {} }: Fixtures): boolean {
  const { email } = (request.body ?? {}) as Json;
  const isOf = (one: string): boolean =>
    String(email).toLowerCase() === one || request.path.includes(encodeURIComponent(one));
  const isChanged = steps.some(
    (step) => (step.do === "add" || step.do === "unsubscribe") && typeof step.contact !== "number",
  );
  return isChanged && Object.values(contacts).some((one) => one !== undefined && isOf(one.email));
}

const isOfRemaining = ({ ids }: Mismatch): boolean => ids.some((id) => idsOfRemaining.includes(id));

/** How often the steps of a mismatch are taken again. */
const mostRepeats = 3;

/**
 * The mismatch if it shows again when the same steps are taken. Others who send with the account change what remains too, but not by the same number
 * each time.
 */
async function repeated(tester: Tester, mismatch: Mismatch): Promise<Mismatch | undefined> {
  for (let count = 1; count <= mostRepeats; count += 1) {
    const again = await walk(tester, mismatch.steps);
    if (!isOfRemaining(mismatch)) {
      if (again !== undefined) return again;
    } else if (again?.found !== mismatch.found) return undefined;
    else if (count === mostRepeats) return again;
  }
  return undefined;
}
