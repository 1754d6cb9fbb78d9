import { expect, test } from "vitest";
import { profiles } from "../../contract/engine/settings.ts";
import { selectedSequences } from "../../contract/model/search.ts";
import recorded from "../../contract/recorded.json" with { type: "json" };
import { neededOperations, totalsOf, verifiedBySequences } from "./measure.ts";
import { cases, record } from "./model/kills.ts";

const remedy = "measure again: npm run renew";

// What they kill, `npm run contract:mutate` shows.
test.each(cases)("the selected sequences have their lengths: $kind", async (of) => {
  const selected = selectedSequences(of.kind);
  const found = await record(selected, of);
  expect(
    found.map(({ seed, length }) => ({ seed, length })),
    remedy,
  ).toEqual(selected);
});

test("the 480 sequences of the profile model match the sandbox, and verify the requirements that are recorded", async () => {
  const written = cases.map(({ kind }) => [kind, recorded.sequences[kind].verifies]);
  expect(await verifiedBySequences(), remedy).toEqual(Object.fromEntries(written));
});

test.each(["core", "full"] as const)(
  "the operations of test cases are those of a run: %s",
  async (profile) => {
    expect(await neededOperations(profile), remedy).toEqual(recorded.operations[profile]);
  },
  // The first measures a run without each operation.
  300_000,
);

test.each(profiles)("the totals of the profile %s are those of a run", async (profile) => {
  const { responseChecks, ...measured } = await totalsOf(profile);
  const written = recorded.profiles[profile];
  expect(responseChecks, remedy).toBe(written.responseChecks);
  // Polling makes some requests more or fewer.
  for (const name of ["requests", "limitedRequests", "emails", "recipients"] as const)
    expect(Math.abs(measured[name] - written[name]), `${name}: ${remedy}`).toBeLessThanOrEqual(
      written[name] / 10,
    );
});
