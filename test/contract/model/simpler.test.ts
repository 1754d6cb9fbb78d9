import { expect, test } from "vitest";
import { sequencesOf, stepsOf } from "../../../contract/model/search.ts";
import { steps as allSteps, type Step } from "../../../contract/model/steps/step.ts";

const options = { email: true, newsletter: true, canWait: true, maxLength: 30 };
const steps = Array.from({ length: 60 }, (_, seed) =>
  stepsOf(seed + 1, sequencesOf(seed + 1, options)),
).flat();
const all = allSteps({ ...options, turn: 0 });

/** The simplest step that still has something. */
function simplest(step: Step, has: (step: Step) => boolean): Step {
  for (const { value } of all.shrink(step, undefined)) if (has(value)) return simplest(value, has);
  return step;
}

test("every step of a kind has the same simplest one, but for waits from now and from what is due", () => {
  const kinds = Map.groupBy(steps, (step) => (step.do === "wait" ? `wait from ${step.from}` : step.do));
  expect(kinds.size).toBe(14);
  for (const [kind, ofKind] of kinds)
    expect(new Set(ofKind.map((step) => JSON.stringify(simplest(step, () => true)))).size, kind).toBe(1);
});

test("a send that needs a property is simple in all others", () => {
  const hasCopy = (step: Step): boolean => step.do === "send" && step.message.cc.length > 0;
  const found = steps.filter(hasCopy).map((step) => JSON.stringify(simplest(step, hasCopy)));
  const message = { to: ["success"], cc: ["success"], bcc: [], content: "text", tags: {}, edit: null };
  expect(new Set(found)).toEqual(
    new Set([JSON.stringify({ do: "send", key: "full", message, when: null, keyed: false })]),
  );
});
