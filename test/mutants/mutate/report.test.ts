import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { MutantOutcome } from "./killed.ts";
import { killTable } from "./report.ts";

const outcome = (title: string, failed: string[], errors: string[] = []): MutantOutcome => ({
  requirement: "SEND-9",
  title,
  failed: failed,
  errors,
  milliseconds: 1,
});
const own = outcome("takes a subject of any length, however many characters there are in it", [
  "BATCH-4",
  "SEND-9",
]);
const byOthers = outcome("refuses each subject", ["SEND-1", "SEND-2", "SEND-3", "SEND-4", "SEND-5"]);
const survivor = outcome("takes a subject of 999 characters", [], ["a law: the suite itself failed"]);

const lines = (outcomes: MutantOutcome[]): string[] =>
  stripVTControlCharacters(killTable(outcomes).text).split("\n");

describe("the kill table", () => {
  it("holds where each fault failed to its own requirement", () => {
    expect(killTable([own]).held).toBe(true);
    expect(killTable([own, byOthers]).held).toBe(false);
    expect(killTable([own, survivor]).held).toBe(false);
  });

  it("counts who killed how many", () => {
    expect(lines([own, byOthers, survivor]).slice(-2)).toEqual([
      "3 faults of 1 requirement:",
      "1 killed by their own (33.3 %), 1 by others only, 1 survived.",
    ]);
  });

  it("fits into 80 columns", () => {
    expect(lines([own, byOthers, survivor]).filter((line) => line.length > 80)).toEqual([]);
  });

  it("names what else failed, and counts what it does not name", () => {
    const text = lines([byOthers]).join("\n");
    expect(text).toContain("SEND-1 SEND-2 SEND-3");
    expect(text).toContain("+1");
  });
});
