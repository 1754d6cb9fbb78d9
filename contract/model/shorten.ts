import { isDeepStrictEqual } from "node:util";
import type { Arbitrary } from "fast-check";
import type { Tester } from "../engine/tester.ts";
import type { Step } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";

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
export async function shortened(
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

/** The same steps with a property of one of them simpler, first in all steps with the same value. */
function* simpler(steps: Steps, all: Arbitrary<Step>): Generator<Steps> {
  for (const [index, step] of steps.entries())
    for (const { value: other } of all.shrink(step, undefined)) {
      yield steps.map((one) => withChanges(one, step, other));
      yield steps.with(index, other);
    }
}

/** What steps of all kinds have in common. */
const common = ["do", "key", "contact"];

/** A step with the properties that differ between two others, as far as it has the value of the first one. */
function withChanges(step: Step, before: Step, after: Step): Step {
  const own: Record<string, unknown> = { ...step };
  const old: Record<string, unknown> = { ...before };
  const changes = Object.entries(after).filter(
    ([name, value]) =>
      (step.do === before.do || common.includes(name)) &&
      !isDeepStrictEqual(value, old[name]) &&
      isDeepStrictEqual(own[name], old[name]),
  );
  return changes.length === 0 ? step : ({ ...step, ...Object.fromEntries(changes) } as Step);
}
