import { expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { clientMutants } from "./all-mutants.ts";

/** The requirements on clients. */
const ofClients = Object.values(requirements as Record<string, { id: string; kind: string }>)
  .filter(({ kind }) => kind === "client")
  .map(({ id }) => id);

// `npm run client:mutate` runs them.
const names = clientMutants.map(({ requirement, title }) => `${requirement} ${title}`);

it("the mutants of clients are unique", () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("the mutants of clients violate each requirement on clients", () => {
  const violated = new Set<string>(clientMutants.map(({ requirement }) => requirement));
  expect(ofClients.filter((id) => !violated.has(id))).toEqual([]);
});
