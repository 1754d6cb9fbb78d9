import { beforeAll, describe, expect, it } from "vitest";
import { unobservable } from "../../contract/unobservable.ts";
import { requirements } from "../../generated/requirements.ts";
import { allMutants } from "./all-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { failedIn, isKilled, type MutantOutcome } from "./mutate/killed.ts";
import { runMutants } from "./mutate/threads.ts";

/** The requirements that a client can observe. */
const observable = Object.values(requirements as Record<string, Row>).filter(
  ({ id, kind, excluded }) =>
    ["shape", "semantics", "timing"].includes(kind) && excluded === undefined && !(id in unobservable),
);

interface Row {
  id: string;
  kind: string;
  excluded?: string;
}

/** `AUTH` of `AUTH-3`. */
const topicOf = (fault: Mutant | undefined): string | undefined => fault?.requirement.split("-")[0];

const inWords = ({ requirement, title }: { requirement: string; title: string }): string =>
  `${requirement} ${title}`;

describe("the mutants", () => {
  let faults: Mutant[];
  beforeAll(async () => {
    faults = await allMutants();
  });

  it("violate existing requirements", () => {
    expect(faults.filter(({ requirement }) => !(requirement in requirements)).map(inWords)).toEqual([]);
  });

  it("are unique", () => {
    const names = faults.map(inWords);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("cover each observable requirement", () => {
    const broken = new Set<string>(faults.map(({ requirement }) => requirement));
    expect(observable.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it("violate no unobservable requirement", () => {
    expect(faults.filter(({ requirement }) => requirement in unobservable).map(inWords)).toEqual([]);
  });

  it("are at least 200", () => {
    expect(faults.length).toBeGreaterThanOrEqual(200);
  });
});

describe("a mutant", () => {
  let topics: number;
  let outcomes: MutantOutcome[];
  beforeAll(async () => {
    const faults = await allMutants();
    // One mutant per topic; CI runs all of them with `npm run contract:mutate`.
    const first = new Map([...faults.keys()].reverse().map((index) => [topicOf(faults[index]), index]));
    topics = first.size;
    outcomes = await runMutants({ indexes: [...first.values()], depth: "own" });
  }, 600_000);

  it("is killed by a check of its own requirement", () => {
    expect(topics).toBeGreaterThan(15);
    expect(outcomes.length).toBe(topics);
    const missed = outcomes.filter((outcome) => !isKilled(outcome));
    expect(
      missed.map((outcome) => `${inWords(outcome)} (failed: ${failedIn(outcome).join(" ") || "nothing"})`),
    ).toEqual([]);
  });
});
