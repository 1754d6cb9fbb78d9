import fc, { type Arbitrary } from "fast-check";
import { AssertionFailure, NotVerified } from "../engine/assert.ts";
import type { Fixtures, SequenceSettings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import recorded from "../recorded.json" with { type: "json" };
import { idsOfRemaining } from "./rules/allowance.ts";
import type { Json } from "./state.ts";
import { steps as allSteps, type Step, type StepOptions, sequences } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";

/** The first steps of the sequence of a seed. */
export interface Selected {
  seed: number;
  length: number;
}

interface SearchOptions extends Omit<StepOptions, "turn">, SequenceSettings {
  /** The part of the time for this search, after which no further step is taken; default: 1. */
  share?: number;
  /** These sequences, instead of those from a seed on. */
  selected?: readonly Selected[] | undefined;
}

/** A mismatch with the seed of its sequence, and whether it shows again each time. */
type Failure = Mismatch & { seed: number; isRepeatable: boolean };

const mostFailures = 8;
/** The longest time for finding shorter sequences, in milliseconds. */
const mostShortening = 180_000;
/** With clock moves, the values that come in turn begin elsewhere. */
const otherHalf = 31;
const largestSeed = 2 ** 31 - 1;

/** The sequences that a seed can lead to. */
export const sequencesOf = (seed: number, options: Omit<StepOptions, "turn">): Arbitrary<Step[]> =>
  fc.noBias(sequences({ ...options, turn: seed + (options.canWait ? otherHalf : 0) }));

export const stepsOf = (seed: number, arbitrary: Arbitrary<Step[]>): Step[] =>
  fc.sample(arbitrary, { seed, numRuns: 1 })[0] ?? [];

/**
 * Tries sequences. After a mismatch, the steps that follow are taken as a sequence of their own, so that it hides nothing.
 * @returns failures, each of other requirements
 */
export async function explore(
  tester: Tester,
  { seconds, share = 1, shorten = true, failures: most = mostFailures, selected, ...options }: SearchOptions,
  onFailure: (failure: Failure) => void = () => {},
): Promise<Failure[]> {
  const end = performance.now() + seconds * share * 1000;
  const isOver = (): boolean => performance.now() >= end;
  const failures: Failure[] = [];
  const all = allSteps({ ...options, turn: 0 });
  const milliseconds = shorten ? Math.min(mostShortening, seconds * 1000) : 0;
  const search = { tester, failures, all, milliseconds };
  for (const { seed, length } of selected ?? inOrder(options)) {
    if (isOver()) break;
    for (let rest = stepsOf(seed, sequencesOf(seed, options)).slice(0, length); rest.length > 0; ) {
      const mismatch = await walk(tester, rest, isOver);
      rest = rest.slice(mismatch?.steps.length ?? rest.length);
      const failure = mismatch && (await confirmed(search, mismatch));
      if (failure === undefined) continue;
      failures.push({ ...failure, seed });
      onFailure({ ...failure, seed });
      if (failures.length === most) return failures;
    }
  }
  return failures;
}

/** As many sequences as wanted: that of the first seed, of the next one, and so on. */
function* inOrder({ sequences: most, seed, maxLength }: Omit<SearchOptions, "seconds">): Generator<Selected> {
  for (let count = 0; count < most; count += 1)
    yield { seed: ((seed + count - 1) % largestSeed) + 1, length: maxLength };
}

interface Search {
  tester: Tester;
  failures: Failure[];
  /** The steps that there can be. */
  all: Arbitrary<Step>;
  /** The longest time for finding a shorter sequence. */
  milliseconds: number;
}

/** The shortest sequence with a mismatch; undefined if it is of the same requirements as an earlier one, or due to others who send with the account. */
async function confirmed(search: Search, mismatch: Mismatch): Promise<Omit<Failure, "seed"> | undefined> {
  const { tester, failures } = search;
  const isKnown = ({ ids }: Mismatch, isRepeatable = true): boolean =>
    failures.some((one) => one.isRepeatable === isRepeatable && one.ids.every((id) => ids.includes(id)));
  if (isKnown(mismatch)) return undefined;
  const again = await repeated(tester, mismatch);
  if (again === undefined) {
    if (isOfConfigured(mismatch, tester.settings.fixtures)) return { ...mismatch, isRepeatable: true };
    if (isOfRemaining(mismatch)) tester.run.isShared = true;
    else if (!isKnown(mismatch, false)) return { ...mismatch, isRepeatable: false };
    return undefined;
  }
  const end = performance.now() + search.milliseconds;
  const isOver = (): boolean => performance.now() > end;
  const last = (await repeated(tester, await shortened(tester, again, search.all, isOver))) ?? again;
  return isKnown(last) ? undefined : { ...last, isRepeatable: true };
}

/**
 * Tries sequences. Each mismatch is an outcome of its own: a failure with the requests of the shortest sequence, or not verified if it does not
 * show again.
 */
export async function search(tester: Tester, options: SearchOptions): Promise<void> {
  await explore(tester, options, ({ isRepeatable, exchange, exchanges, ids, expected, found, seed }) => {
    const error = isRepeatable
      ? new AssertionFailure(exchange, { expected, found, seed }, inOrderOf(ids, tester.compared))
      : new NotVerified(
          `A response was wrong once, and right when the same requests were sent again: expected ${expected}, found ${found} (--seed ${seed}).`,
          { ids },
        );
    tester.found.push({ error, exchanges });
  });
  // The last sequence is no evidence of all that the sequences verify.
  tester.exchanges.length = 0;
  if (tester.run.isShared) for (const id of idsOfRemaining) tester.compared.delete(id);
}

/** The requirements that the fewest responses are about say most of what led to a mismatch: those on a property are about every record. */
const inOrderOf = (ids: readonly string[], compared: ReadonlyMap<string, number>): string[] =>
  ids.toSorted((one, other) => (compared.get(one) ?? 0) - (compared.get(other) ?? 0));

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

/** What a mismatch of a quota says without the quota itself, which each sequence uses up. */
const countedIn = ({ found }: Mismatch): string => found.replace(/^.*?: /, "");

/**
 * The mismatch if it shows again when the same steps are taken. Others who send with the account change what remains too, but not by the same number
 * each time.
 */
async function repeated(tester: Tester, mismatch: Mismatch): Promise<Mismatch | undefined> {
  for (let count = 1; count <= mostRepeats; count += 1) {
    const again = await walk(tester, mismatch.steps);
    if (!isOfRemaining(mismatch)) {
      if (again !== undefined && isSameFault(mismatch, again)) return again;
    } else if (again === undefined || countedIn(again) !== countedIn(mismatch)) return undefined;
    else if (count === mostRepeats) return again;
  }
  return undefined;
}

/**
 * The sequences of all profiles but `model`: of the first 400 seeds of each kind, those that kill most mutants of one path per request, each mutant up
 * to three times. Those that kill most come first: a slow server gets no others.
 */
export const selectedSequences = (kind: keyof typeof recorded.sequences): Selected[] =>
  recorded.sequences[kind].selected.split(" ").map((text) => {
    const [seed = 1, length = 1] = text.split(":").map(Number);
    return { seed, length };
  });

type Steps = readonly Step[];

/** What a mismatch is about: the status of a response, or a property in it. */
const subjectOf = ({ expected }: Mismatch): string =>
  /^[1-5](\d\d|XX)\b/.test(expected) ? "status" : (expected.split(" ")[0] ?? "");

/** Whether two mismatches can have the same cause: of a wrong status, the same one in place of the same ones. */
export function isSameFault(one: Mismatch, other: Mismatch): boolean {
  const subject = subjectOf(one);
  const allowed = one.expected.split(" or ");
  return (
    one.ids.some((id) => other.ids.includes(id)) &&
    one.exchange.request.operation === other.exchange.request.operation &&
    subject === subjectOf(other) &&
    (subject !== "status" ||
      (one.found === other.found && other.expected.split(" or ").every((name) => allowed.includes(name))))
  );
}

/**
 * Looks for the same fault with as few steps as possible, each as simple as possible.
 * @param all the steps that there can be
 * @param isOver called before each attempt
 */
async function shortened(
  tester: Tester,
  mismatch: Mismatch,
  all: Arbitrary<Step>,
  isOver: () => boolean,
): Promise<Mismatch> {
  let best = mismatch;
  // Some values are simpler than each other.
  const tried = new Set<string>();
  const replaced = async (candidates: Iterable<Steps>): Promise<boolean> => {
    for (const steps of candidates) {
      if (isOver()) return false;
      const text = JSON.stringify(steps);
      if (tried.has(text)) continue;
      tried.add(text);
      const found = await walk(tester, steps);
      if (found === undefined || !isSameFault(mismatch, found)) continue;
      best = found;
      return true;
    }
    return false;
  };
  do {
    while (await replaced(shorter(best.steps)));
  } while (await replaced(simpler(best.steps, all)));
  return best;
}

/** The same steps without some that follow each other: first without many, then without one. The last step stays, which does not match. */
function* shorter(steps: Steps): Generator<Steps> {
  const last = steps.length - 1;
  for (let size = Math.ceil(last / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let end = last; end > 0; end -= size) {
      const before = steps.slice(0, Math.max(0, end - size));
      yield [...before, ...steps.slice(end)];
      if (size > 1) continue;
      // What they are about may have had one before it that is left out.
      yield [...before, ...steps.slice(end).map((step) => withNumber(step, (number) => number - 1))];
      for (const number of before.keys())
        yield [...before, ...steps.slice(end, last), withNumber(steps[last] as Step, () => number)];
    }
}

/** The step about another message or request. */
function withNumber(step: Step, change: (number: number) => number): Step {
  if (step.do === "reschedule" || step.do === "cancel" || step.do === "look")
    return { ...step, message: { ...step.message, number: Math.max(0, change(step.message.number)) } };
  return step.do === "repeat" ? { ...step, request: Math.max(0, change(step.request)) } : step;
}

/** The same steps with a property of one of them simpler. */
function* simpler(steps: Steps, all: Arbitrary<Step>): Generator<Steps> {
  for (const [index, step] of steps.entries())
    for (const { value: other } of all.shrink(step, undefined)) yield steps.with(index, other);
}
