import { beforeAll, describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { unobservable } from "../contract/unobservable.ts";
import { allMutants } from "./all-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { isKilled, type MutantOutcome } from "./mutate/killed.ts";
import { runMutants } from "./mutate/threads.ts";

/** The promises that somebody who calls the service can see kept or broken. */
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

describe("the faults", () => {
  let faults: Mutant[];
  beforeAll(async () => {
    faults = await allMutants();
  });

  it("break promises that there are", () => {
    expect(faults.filter(({ requirement }) => !(requirement in requirements)).map(inWords)).toEqual([]);
  });

  it("are each there once", () => {
    const names = faults.map(inWords);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("break each observable promise", () => {
    const broken = new Set<string>(faults.map(({ requirement }) => requirement));
    expect(observable.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it("break no promise that nobody can observe", () => {
    expect(faults.filter(({ requirement }) => requirement in unobservable).map(inWords)).toEqual([]);
  });

  it("are at least 200", () => {
    expect(faults.length).toBeGreaterThanOrEqual(200);
  });
});

describe("a sandbox with a fault", () => {
  let topics: number;
  let outcomes: MutantOutcome[];
  beforeAll(async () => {
    const faults = await allMutants();
    // One fault of each topic; `npm run contract:mutate`, a step of CI, tries all of every promise.
    const first = new Map([...faults.keys()].reverse().map((index) => [topicOf(faults[index]), index]));
    topics = first.size;
    outcomes = await runMutants({ indexes: [...first.values()], depth: "quick" });
  }, 600_000);

  it("fails the check of the requirement that the fault requirement", () => {
    expect(topics).toBeGreaterThan(15);
    expect(outcomes.length).toBe(topics);
    const missed = outcomes.filter((outcome) => !isKilled(outcome));
    expect(
      missed.map((outcome) => `${inWords(outcome)} (fell: ${outcome.failed.join(" ") || "nothing"})`),
    ).toEqual([]);
  });
});
