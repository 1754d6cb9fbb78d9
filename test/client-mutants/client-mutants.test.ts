import { describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { failedIn, isKilled } from "../mutants/mutate/killed.ts";
import { clientMutants } from "./all-mutants.ts";
import { runMutant } from "./mutate/run-mutant.ts";

/** The requirements on clients. */
const ofClients = Object.values(requirements as Record<string, { id: string; kind: string }>)
  .filter(({ kind }) => kind === "client")
  .map(({ id }) => id);

const inWords = ({ requirement, title }: { requirement: string; title: string }): string =>
  `${requirement} ${title}`;

describe("the mutants of clients", () => {
  it("are unique", () => {
    const names = clientMutants.map(inWords);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("cover each requirement on clients", () => {
    const violated = new Set<string>(clientMutants.map(({ requirement }) => requirement));
    expect(ofClients.filter((id) => !violated.has(id))).toEqual([]);
  });

  it("are at least 120", () => {
    expect(clientMutants.length).toBeGreaterThanOrEqual(120);
  });
});

// One mutant for each; CI runs all of them with `npm run client:mutate`.
const some = ofClients.flatMap((id) => clientMutants.find(({ requirement }) => requirement === id) ?? []);

describe("a mutant of a client", () => {
  it.concurrent.each(some)("is killed by a check of $requirement: $title", async (mutant) => {
    const outcome = await runMutant(mutant, "own");
    expect(outcome.errors).toEqual([]);
    expect(isKilled(outcome), `failed: ${failedIn(outcome).join(" ") || "nothing"}`).toBe(true);
  });
});
