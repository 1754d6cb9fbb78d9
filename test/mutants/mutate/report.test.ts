import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { ServerOutcome } from "./outcome.ts";
import { killTable, tableByOrigin, tableByRequirement, tableOfSubsumed } from "./report.ts";

const outcome = (title: string, failed: string[], errors: string[] = [], isModel = false): ServerOutcome => ({
  requirement: "SEND-9",
  title,
  killers: failed.map((id) => ({ check: "a check", isModel, title: "", ids: [id] })),
  errors,
  milliseconds: 1,
});
const own = outcome("accepts a subject of any length, however many characters it has", ["BATCH-4", "SEND-9"]);
const byOthers = outcome("rejects each subject", ["SEND-1", "SEND-2", "SEND-3", "SEND-4", "SEND-5"]);
const survivor = outcome("accepts a subject of 999 characters", [], ["a check: the suite itself failed"]);

const lines = (outcomes: ServerOutcome[]): string[] =>
  stripVTControlCharacters(killTable(outcomes).text).split("\n");

describe("the report of mutants", () => {
  it("passes if each mutant is killed by its own requirement", () => {
    expect(killTable([own]).passed).toBe(true);
    expect(killTable([own, byOthers]).passed).toBe(false);
    expect(killTable([own, survivor]).passed).toBe(false);
  });

  it("counts killed and surviving mutants", () => {
    expect(lines([own, byOthers, survivor]).slice(-2)).toEqual([
      "3 mutants of 1 requirement:",
      "1 killed by their own requirement (33.3 %), 1 by others only, 1 survived.",
    ]);
  });

  it("fits 80 columns", () => {
    expect(lines([own, byOthers, survivor]).filter((line) => line.length > 80)).toEqual([]);
  });

  it("names further failed requirements and counts the rest", () => {
    const text = lines([byOthers]).join("\n");
    expect(text).toContain("SEND-1 SEND-2 SEND-3");
    expect(text).toContain("+1");
  });
});

it("the table by requirement counts the mutants and who kills them", () => {
  const first = { ...own, requirement: "BATCH-4" };
  const text = stripVTControlCharacters(tableByRequirement([own, byOthers, survivor, first]));
  const rows = text.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));
  expect(rows.slice(-3)).toEqual(["BATCH-4 1 1 0 0", "SEND-9 3 1 1 1", "all 4 2 1 1"]);
});

describe("the table of the checks and the model", () => {
  const byModel = outcome("accepts a subject of 999 characters", ["SEND-9"], [], true);
  const text = stripVTControlCharacters(
    tableByOrigin([own, survivor, survivor, byModel], [survivor, byModel, survivor, byModel]),
  );
  const rows = text.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));

  it("counts what the checks, the model, both and the profile full kill", () => {
    expect(rows.filter((row) => row.startsWith("SEND"))).toEqual(["SEND 4 1 2 3 2"]);
    expect(rows).toContain("100.0 % 25.0 % 50.0 % 75.0 % 50.0 %");
  });

  it("fits 80 columns", () => {
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("the table of subsumed mutants", () => {
  const killedBy = (title: string, ...cases: string[]): ServerOutcome => ({
    ...outcome(title, []),
    killers: cases.map((of) => ({ check: "a check", isModel: false, title: of, ids: ["SEND-9"] })),
  });
  const rowsOf = (outcomes: ServerOutcome[]): string[] =>
    stripVTControlCharacters(tableOfSubsumed(outcomes))
      .split("\n")
      .map((line) => line.trim().replaceAll(/ +/g, " "))
      .filter((line) => line.startsWith("SEND-9"));

  it("lists those that every case kills which kills another one, and of equals all but the first", () => {
    const outcomes = [killedBy("A", "1", "2"), killedBy("B", "1"), killedBy("C", "1"), killedBy("D", "3")];
    expect(rowsOf(outcomes)).toEqual(["SEND-9 A B", "SEND-9 C B"]);
  });

  it("keeps two of a requirement", () => {
    expect(rowsOf([killedBy("A", "1"), killedBy("B", "1")])).toEqual([]);
  });
});
