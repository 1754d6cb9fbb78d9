import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { sequencesOf, stepsOf } from "../../../contract/model/search.ts";
import { simplerSteps } from "../../../contract/model/shorten.ts";
import type { Step } from "../../../contract/model/steps/step.ts";

const options = { email: true, newsletter: true, canWait: true, maxLength: 30 };
const steps = Array.from({ length: 60 }, (_, seed) =>
  stepsOf(seed + 1, sequencesOf(seed + 1, options)),
).flat();

/** The simplest step that still has something. */
function simplest(step: Step, has: (step: Step) => boolean): Step {
  for (const simpler of simplerSteps(step))
    if (has(simpler) && !isDeepStrictEqual(simpler, step)) return simplest(simpler, has);
  return step;
}

test("every step of a kind has the same simplest one", () => {
  const kinds = Map.groupBy(steps, (step) => step.do);
  expect(kinds.size).toBe(13);
  for (const [kind, all] of kinds)
    expect(new Set(all.map((step) => JSON.stringify(simplest(step, () => true)))).size, kind).toBe(1);
});

test("a send that needs a property is simple in all others", () => {
  const hasCopy = (step: Step): boolean => step.do === "send" && step.message.cc.length > 0;
  const found = steps.filter(hasCopy).map((step) => JSON.stringify(simplest(step, hasCopy)));
  const message = { to: ["success"], cc: ["success"], bcc: [], content: "text", tags: {}, edit: null };
  expect(new Set(found)).toEqual(
    new Set([JSON.stringify({ do: "send", key: "full", message, when: null, keyed: false })]),
  );
});

test("an edit, a key and an idempotency key that are not needed are left out", () => {
  const step = steps.find((one) => one.do === "send" && one.message.edit !== null && one.keyed);
  const hasTime = (one: Step): boolean => one.do === "send" && one.when !== null;
  const scheduled = { ...step, key: "restricted", when: { ahead: 5, offset: 330 } } as Step;
  expect(simplest(scheduled, hasTime)).toMatchObject({
    key: "full",
    keyed: false,
    message: { edit: null },
    when: { ahead: 60, offset: 0 },
  });
});

test("a time keeps its properties", () => {
  const times = steps
    .flatMap((step) => [...simplerSteps(step)])
    .flatMap((step) => ("when" in step ? [step.when] : []));
  expect(times.length).toBeGreaterThan(100);
  expect(times.filter((when) => when !== null && !("ahead" in when && "offset" in when))).toEqual([]);
});
