import { expect, test } from "vitest";
import { selectedSequences } from "../../../contract/model/search.ts";
import { cases, record } from "./kills.ts";

// What they kill, `npm run contract:mutate` shows.
test.each(cases)("the selected sequences have their lengths: %o", async (of) => {
  const selected = selectedSequences(of.product, of.canWait);
  const recorded = await record(selected, of);
  expect(
    recorded.map(({ seed, length }) => ({ seed, length })),
    "if the generator of steps has changed, select again: npm run model -- --select",
  ).toEqual(selected);
});
