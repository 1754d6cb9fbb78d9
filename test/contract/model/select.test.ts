import { expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Mutant } from "../../mutants/mutant.ts";
import { cases } from "./kills.ts";
import { type Candidate, countKilled, select } from "./select.ts";

const mutant = (title: string): Mutant => ({
  requirement: "SEND-1",
  title,
  intercept: () => (request, next) => next(request),
});
const [first, second, third] = [mutant("first"), mutant("second"), mutant("third")];
const mutants = [first, second, third];
const [of] = cases;

/** @param kills the number of steps that each mutant takes */
function candidate(seed: number, ...kills: [Mutant, number][]): Candidate {
  if (of === undefined) throw new Error("there are no cases");
  return { of, seed, requestsPerStep: 2, kills: new Map(kills) };
}

test("a sequence that kills more mutants per request is selected first, with as many steps as that takes", () => {
  const long = candidate(1, [first, 1], [second, 20]);
  const short = candidate(2, [second, 1], [third, 1]);
  const selected = select([long, short], mutants, 10);
  expect([...selected]).toEqual([
    [short, 1],
    [long, 1],
  ]);
  expect(countKilled(selected, mutants)).toBe(3);
});

test("a sequence takes more steps if they kill further mutants", () => {
  const one = candidate(1, [first, 1], [second, 4]);
  expect([...select([one], mutants, 8)]).toEqual([[one, 4]]);
  expect([...select([one], mutants, 7)]).toEqual([[one, 1]]);
});

test("mutants are killed by up to three sequences, with the requests that are left", () => {
  const all = [1, 2, 3, 4].map((seed) => candidate(seed, [first, seed]));
  expect([...select(all, mutants, 100).keys()].map(({ seed }) => seed)).toEqual([1, 2, 3]);
});

test.each([
  [{}, "the selected sequences", (requests: number) => requests > 300],
  [{ sequences: 1 }, "a sequence from the first seed", (requests: number) => requests < 50],
  [{ seed: 5 }, "a few sequences from another seed", (requests: number) => requests < 300],
] as const)("with %o, the profile email sends %s", async (sequences, _, isRight) => {
  // A slow machine sends as many as any other.
  const settings = { ...demoSettings("email"), sequences: { seconds: 600, ...sequences } };
  const [outcome] = await runOnSandbox({
    settings,
    plans: [planOf({ ...settings, without: ["clock"] }, /sequences of email requests/)],
  });
  expect(outcome).toMatchObject({ verdict: "pass" });
  expect(outcome?.requests).toSatisfy(isRight);
});
