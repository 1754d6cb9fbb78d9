import { expect, it } from "vitest";
import { unobservable } from "../../contract/report/summarize.ts";
import { requirements } from "../../generated/requirements.ts";
import { allMutants } from "./all-mutants.ts";

interface Requirement {
  id: string;
  kind: string;
  excluded?: string;
}

/** The requirements that a client can observe. */
const observable = Object.values(requirements as Record<string, Requirement>).filter(
  ({ id, kind, excluded }) =>
    ["shape", "semantics", "timing"].includes(kind) && excluded === undefined && !(id in unobservable),
);

// `npm run contract:mutate` runs them.
const mutants = await allMutants();
const names = mutants.map(({ requirement, title }) => `${requirement} ${title}`);

it("the mutants are unique", () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("the mutants violate each observable requirement, and no other", () => {
  const violated = new Set<string>(mutants.map(({ requirement }) => requirement));
  expect([...violated].sort()).toEqual(observable.map(({ id }) => id).sort());
});
