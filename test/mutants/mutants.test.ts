import { expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { allMutants } from "./all-mutants.ts";

interface Requirement {
  id: string;
  kind: string;
  excluded?: string;
}

/** The requirements that a client can observe. */
const observable = Object.values(requirements as Record<string, Requirement>).filter(
  ({ kind, excluded }) => ["shape", "semantics", "timing"].includes(kind) && excluded === undefined,
);

// `npm run contract:mutate` runs them.
const mutants = await allMutants();
const names = mutants.map(({ requirement, title }) => `${requirement} ${title}`);

it("the mutants are unique", () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("each observable requirement has a mutant, and no other: a row in rows/<topic>.yaml, or a function beside it", () => {
  const violated = new Set<string>(mutants.map(({ requirement }) => requirement));
  const ids = observable.map(({ id }) => id);
  expect(
    ids.filter((id) => !violated.has(id)),
    "without a mutant",
  ).toEqual([]);
  expect([...violated].filter((id) => !ids.includes(id))).toEqual([]);
});
