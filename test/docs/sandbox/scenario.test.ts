import { expect, test } from "vitest";
import { readScenario, writeScenario } from "../../../docs/site/src/try/scenario.ts";
import type { Scenario, Step, TryData } from "../../../docs/site/src/try/types.ts";
import { tryData } from "../../../scripts/docs/sandbox/try.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";

const data: TryData = JSON.parse(tryData(await readBundle()));
const start = Date.parse(data.start);

const sent: Step = {
  ...{ do: "send", at: 1_000, operation: "getEmail", key: "bakery.all", idempotencyKey: "" },
  ...{ parameters: { id: "msg_1" }, body: null },
};
const steps: Step[] = [
  sent,
  { do: "advance", at: 2_000, by: "P1D" },
  { do: "clear failures", at: 80_000_000 },
  { do: "fail", at: 90_000_000, failure: "429", requests: 2 },
  { do: "confirm", at: 90_000_000, email: "ada@readers.example", list: 1 },
];

const through = async (scenario: unknown): Promise<Scenario | undefined> =>
  readScenario(await writeScenario(scenario as Scenario), data);

test("a scenario goes through a link unchanged", async () => {
  expect(await through({ start, steps })).toEqual({ start, steps });
});

const invalid: [name: string, scenario: unknown][] = [
  ["no object", 5],
  ["no steps", { start }],
  ["a start beyond 2100", { start: 1e15, steps }],
  ["a step without a time", { start, steps: [{ do: "advance", by: "P1D" }] }],
  ["steps out of order", { start, steps: steps.toReversed() }],
  ["an unknown step", { start, steps: [{ do: "fetch", at: 1 }] }],
  ["an unknown operation", { start, steps: [{ ...sent, operation: "deleteAll" }] }],
  ["an unknown key", { start, steps: [{ ...sent, key: "sandbox.own" }] }],
  ["an unknown parameter", { start, steps: [{ ...sent, parameters: { __proto__: null, path: "/" } }] }],
  ["a long value", { start, steps: [{ ...sent, idempotencyKey: "a".repeat(3_000) }] }],
  ["another duration", { start, steps: [{ do: "advance", at: 1, by: "P1000Y" }] }],
  ["too many failing requests", { start, steps: [{ do: "fail", at: 1, failure: "503", requests: 1e6 }] }],
  ["too many steps", { start, steps: Array.from({ length: 51 }, () => sent) }],
  ["too large a text", { start, steps: [{ ...sent, body: "a".repeat(300_000) }] }],
];

test.for(invalid)("a link with %s is not a scenario", async ([, scenario]) => {
  expect(await through(scenario)).toBeUndefined();
});

test("a text that is not a code is not a scenario", async () => {
  for (const code of ["", "!", "AAAA", "a".repeat(30_000)])
    expect(await readScenario(code, data)).toBeUndefined();
});
