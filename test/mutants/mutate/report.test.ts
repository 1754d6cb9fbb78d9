import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { tableByOrigin } from "./by-origin.ts";
import type { ServerOutcome } from "./outcome.ts";
import { killTable, tableByRequirement } from "./report.ts";

const outcome = (title: string, failed: string[], errors: string[] = [], isModel = false): ServerOutcome => ({
  requirement: "SEND-9",
  title,
  isOfOnePath: false,
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
  const onePath = { ...byModel, isOfOnePath: true };
  const text = stripVTControlCharacters(
    tableByOrigin([own, survivor, survivor, onePath], [survivor, byModel, survivor, byModel]),
  );
  const rows = text.split("\n").map((line) => line.trim().replaceAll(/ +/g, " "));

  it("counts what the checks, the model, both and the profile full kill", () => {
    expect(rows.filter((row) => row.startsWith("SEND"))).toEqual(["SEND 3 1 1 2 1", "SEND 1 0 1 1 1"]);
    expect(rows).toContain("100.0 % 33.3 % 33.3 % 66.7 % 33.3 %");
  });

  it("fits 80 columns", () => {
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
