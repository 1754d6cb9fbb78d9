import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../lib/objects.ts";
import type { Tester } from "../engine/tester.ts";
import type { Step } from "./steps/step.ts";
import { type Mismatch, walk } from "./walk.ts";

type Steps = readonly Step[];

/**
 * Looks for a mismatch of one of the same requirements with as few steps as possible, each as simple as possible.
 *
 * @param isOver asked before each attempt
 */
export async function shortened(
  tester: Tester,
  mismatch: Mismatch,
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
      if (found === undefined || !found.ids.some((id) => mismatch.ids.includes(id))) continue;
      best = found;
      return true;
    }
    return false;
  };
  do {
    while (await replaced(shorter(best.steps)));
  } while (await replaced(simpler(best.steps)));
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
function* simpler(steps: Steps): Generator<Steps> {
  for (const [index, step] of steps.entries())
    for (const other of simplerSteps(step)) {
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

/** Several simple values, the simplest first. What a value has inside is compared with the last one. */
class OneOf {
  readonly values: readonly unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }
}

const copies = new OneOf([], ["success"]);
const message = { to: ["success"], cc: copies, bcc: copies, content: "text", tags: {}, edit: null };
const time = { ahead: 60, offset: 0 };
const target = { number: 0, of: "pending" };
const details = new OneOf({}, { tags: new OneOf([], ["bread"]), fields: {}, consent: {} });
const waits = [3, 4, 7, 62].flatMap((minutes) => [
  { do: "wait", from: "due", minutes },
  { do: "wait", from: "now", minutes },
]);

/** The simplest step of each kind. Properties that it lacks can be left out. */
const simplest: Record<Step["do"], unknown> = {
  send: { do: "send", key: "full", message, when: new OneOf(null, time), keyed: false },
  batch: { do: "batch", key: "full", messages: [message], isFirstRepeated: false, keyed: false },
  reschedule: { do: "reschedule", key: "full", message: target, when: time },
  cancel: { do: "cancel", key: "full", message: target },
  look: { do: "look", key: "full", message: target },
  add: {
    do: "add",
    key: "full",
    contact: 0,
    list: "plain",
    details,
    edge: null,
    upper: false,
    keyed: new OneOf("no", "short"),
  },
  unsubscribe: {
    do: "unsubscribe",
    key: "full",
    contact: 0,
    list: new OneOf(null, 0),
    reason: false,
    edge: null,
  },
  read: { do: "read", key: "full", contact: 0, what: "contact" },
  again: { do: "again", key: "full", request: 0, isTooLong: false },
  mail: { do: "mail", contact: 0, field: "to", kind: "immediate" },
  confirm: { do: "confirm", contact: 0 },
  repeat: { do: "repeat", request: 0, change: null },
  wait: new OneOf(...waits),
};

/** The step with one of its properties simpler. */
export const simplerSteps = (step: Step): Iterable<Step> =>
  simplerValues(step, simplest[step.do]) as Iterable<Step>;

/** The values that are simpler than one, by the simplest. */
function* simplerValues(value: unknown, model: unknown): Generator<unknown> {
  const models = model instanceof OneOf ? model.values : [model];
  const [first, last] = [models[0], models.at(-1)];
  for (const one of models) {
    const simple = plain(one);
    if (isDeepStrictEqual(value, simple)) return;
    yield simple;
  }
  if (Array.isArray(value)) {
    const [inner] = Array.isArray(last) ? last : [];
    const least = Array.isArray(first) ? first.length : 0;
    if (value.length > least) for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, one] of value.entries())
      for (const simple of simplerValues(one, inner)) yield value.with(index, simple);
  } else if (isObject(value) && isObject(last)) {
    const leastObject = models.find(isObject) ?? last;
    for (const [name, own] of Object.entries(value)) {
      const { [name]: _, ...others } = value;
      if (!(name in leastObject)) yield others;
      if (name in last)
        for (const simple of simplerValues(own, last[name])) yield { ...value, [name]: simple };
    }
  } else if (typeof value === "number" && value > 1) yield* [Math.floor(value / 2), value - 1];
}

/** The value with the simplest of several at each place. */
function plain(model: unknown): unknown {
  if (model instanceof OneOf) return plain(model.values[0]);
  if (Array.isArray(model)) return model.map(plain);
  if (!isObject(model)) return model;
  return Object.fromEntries(Object.entries(model).map(([name, value]) => [name, plain(value)]));
}
