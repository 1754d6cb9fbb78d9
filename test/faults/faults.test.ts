import { beforeAll, describe, expect, it } from "vitest";
import { requirements } from "../../generated/requirements.ts";
import { unobserved } from "../contract/unobserved.ts";
import { allFaults } from "./all.ts";
import type { Fault } from "./fault.ts";
import { type FaultOutcome, isKilled } from "./mutate/killed.ts";
import { tryAll } from "./mutate/threads.ts";

/** The promises that somebody who calls the service can see kept or broken. */
const observable = Object.values(requirements as Record<string, Row>).filter(
  ({ id, kind, excluded }) =>
    ["shape", "semantics", "timing"].includes(kind) && excluded === undefined && !(id in unobserved),
);

interface Row {
  id: string;
  kind: string;
  excluded?: string;
}

/** `AUTH` of `AUTH-3`. */
const topicOf = (fault: Fault | undefined): string | undefined => fault?.breaks.split("-")[0];

const inWords = ({ breaks, title }: { breaks: string; title: string }): string => `${breaks} ${title}`;

describe("the faults", () => {
  let faults: Fault[];
  beforeAll(async () => {
    faults = await allFaults();
  });

  it("break promises that there are", () => {
    expect(faults.filter(({ breaks }) => !(breaks in requirements)).map(inWords)).toEqual([]);
  });

  it("are each there once", () => {
    const names = faults.map(inWords);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("break each observable promise", () => {
    const broken = new Set<string>(faults.map(({ breaks }) => breaks));
    expect(observable.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  it("break no promise that nobody can observe", () => {
    expect(faults.filter(({ breaks }) => breaks in unobserved).map(inWords)).toEqual([]);
  });

  it("are at least 200", () => {
    expect(faults.length).toBeGreaterThanOrEqual(200);
  });
});

describe("a sandbox with a fault", () => {
  let topics: number;
  let outcomes: FaultOutcome[];
  beforeAll(async () => {
    const faults = await allFaults();
    // One fault of each topic; `npm run contract:mutate`, a step of CI, tries all of every promise.
    const first = new Map([...faults.keys()].reverse().map((index) => [topicOf(faults[index]), index]));
    topics = first.size;
    outcomes = await tryAll({ indexes: [...first.values()], depth: "quick" });
  }, 600_000);

  it("fails the check of the requirement that the fault breaks", () => {
    expect(topics).toBeGreaterThan(15);
    expect(outcomes.length).toBe(topics);
    const missed = outcomes.filter((outcome) => !isKilled(outcome));
    expect(
      missed.map((outcome) => `${inWords(outcome)} (fell: ${outcome.fell.join(" ") || "nothing"})`),
    ).toEqual([]);
  });
});
