import { expect, test } from "vitest";
import { selectedSequences } from "../../../contract/model/search.ts";
import { allMutants } from "../../mutants/all-mutants.ts";
import { isAbout } from "../../mutants/mutate/outcome.ts";
import { cases, killsOf, record } from "./kills.ts";

const mutants = (await allMutants()).filter(({ isOfOnePath }) => isOfOnePath);
const remedy = "if the generator of steps has changed, select again: npm run model -- --select";

/** Hand-written checks kill most of the others. */
const leastShare = 0.9;

test("the selected sequences kill the mutants that they were selected for", async () => {
  const survivors = new Set(mutants);
  for (const of of cases) {
    const selected = selectedSequences(of.product, of.canWait);
    const recorded = await record(selected, of);
    expect(
      recorded.map(({ seed, length }) => ({ seed, length })),
      remedy,
    ).toEqual(selected);
    for (const mutant of [...survivors].filter(({ requirement }) => isAbout(requirement, of.product)))
      for await (const _ of killsOf(mutant, recorded)) {
        survivors.delete(mutant);
        break;
      }
  }
  const share = 1 - survivors.size / mutants.length;
  const titles = [...survivors].map(({ requirement, title }) => `${requirement} ${title}`);
  expect(share, `${remedy}; survived: ${titles.join("; ")}`).toBeGreaterThan(leastShare);
}, 600_000);
