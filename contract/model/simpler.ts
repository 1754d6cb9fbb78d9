import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../lib/objects.ts";
import type { Step } from "./steps/step.ts";

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
