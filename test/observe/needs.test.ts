import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withNeeds } from "../../contract/observe/needs.ts";
import { comparisonText } from "../../contract/report/console.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { jsonText } from "../../contract/report/json.ts";
import { markdownReport } from "../../contract/report/markdown.ts";
import { readNeeds } from "../../contract/report/needs-file.ts";
import { publishedReport } from "../../contract/report/publish.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import type { Needs } from "../../generated/schema-types.ts";
import { runCompare } from "../../scripts/compare/command.ts";
import { runObserveCommand } from "../../scripts/observe/run-command.ts";
import { folderWith } from "../contract/config/folder.ts";
import { outcome, resultOf, sampleExchange } from "../contract/report/samples.ts";
import { recordedSandbox } from "./proxied.ts";

const needs: Needs = {
  format: 1,
  tool: { name: "email-api-contract", version: "1.0.0" },
  requirements: ["SEND-1"],
  operations: ["sendEmail"],
  statuses: ["sendEmail 202"],
  errors: [],
  parameters: [],
  properties: ["sendEmail subject"],
  responseProperties: ["sendEmail id"],
};

const sent = {
  ...sampleExchange,
  response: { status: 202, headers: {}, body: `{"id":"msg_1","status":"sent"}` },
};
const found = { expected: "status 202", found: "status 200", exchange: 0 };

/** What a report with one test case says of the needs. */
const judged = (changes: Parameters<typeof outcome>[0], more: Partial<ContractResult> = {}) =>
  withNeeds(
    { ...resultOf([outcome({ ids: ["SEND-1"], exchanges: [sent], ...changes })]), ...more },
    needs,
    "needs.json",
  );

describe("a report compared with the needs of an application", () => {
  it("meets them if requirements pass, and its passing test cases show the rest", () => {
    expect(judged({})).toMatchObject({ exitCode: 0, needs: { met: 5, missing: [], notShown: [] } });
  });

  it("does not meet a requirement that fails, and says nothing of what only that test case shows", () => {
    const { exitCode, needs: all } = judged({ verdict: "fail", failure: found });
    expect({ exitCode, missing: all?.missing }).toEqual({ exitCode: 1, missing: ["requirements: SEND-1"] });
    expect(all?.notShown).toContain("responseProperties: sendEmail id");
  });

  it("does not meet those of operations that are not implemented", () => {
    const { exitCode, needs: all } = judged({}, { notImplemented: ["sendEmail"] });
    expect(exitCode).toBe(1);
    expect(all?.missing).toContain("statuses: sendEmail 202");
  });

  it("names what it does not show", () => {
    const { exitCode, needs: all } = judged({ exchanges: [] });
    expect(exitCode).toBe(3);
    expect(all?.notShown).toHaveLength(4);
  });
});

describe("a list of needs", () => {
  const labels = Array.from({ length: 120 }, (_, index) => `properties: sendEmail property${index}`);
  const result = { ...judged({}), needs: { file: "needs.json", met: 0, missing: labels, notShown: labels } };

  it.each([
    ["console", comparisonText],
    ["Markdown", markdownReport],
    ["HTML", htmlReport],
  ])("is whole in the report for %s", (_, textOf) => {
    const names = textOf(result).matchAll(/property\d+/g);
    expect(new Set(Array.from(names, ([name]) => name)).size).toBe(labels.length);
  });

  it("has no more than 80 columns in the console", () => {
    const lines = stripVTControlCharacters(comparisonText(result)).split("\n");
    expect(lines.filter(({ length }) => length > 80)).toEqual([]);
  });
});

describe("the options --needs", () => {
  let printed: string[];
  beforeEach(() => {
    printed = [];
    vi.spyOn(console, "log").mockImplementation((text: string) => printed.push(text));
  });
  afterEach(() => vi.restoreAllMocks());

  it("write what traffic exercised, and compare it with a report", async () => {
    const folder = folderWith();
    const file = join(folder, "needs.json");
    const ndjson = [await recordedSandbox(folder)];
    await runObserveCommand({ port: 0, host: "127.0.0.1", ndjson, needs: file });
    const written = readNeeds(file);
    expect(written).toMatchObject({
      operations: ["sendEmail", "getEmail"],
      statuses: ["sendEmail 202", "getEmail 2XX"],
      errors: [],
      parameters: ["getEmail id"],
    });
    expect(written.properties).toContain("sendEmail subject");
    expect(written.responseProperties).toEqual(
      expect.arrayContaining(["sendEmail id", "getEmail events.*.type"]),
    );
    expect(written.requirements).toContain("SEND-31");
    const ofOthers = ["BATCH-9", "SCHED-1", "SCHED-9"];
    expect(written.requirements.filter((id) => ofOthers.includes(id))).toEqual([]);
    expect(await readFile(file, "utf8")).not.toContain("sandbox_all");
    await writeFile(join(folder, "report.json"), jsonText(resultOf([outcome({ ids: ["SEND-31"] })])));
    const code = await runCompare(join(folder, "report.json"), undefined, { needs: file });
    expect(code).toBe(3);
    expect(printed.join("\n")).toMatch(/Needs that the report does not show/);
  });

  it("reject names that the document does not have", async () => {
    const known = {
      ...needs,
      requirements: ["SEND-1", "AUTH-8"],
      errors: ["any path: 405 method_not_allowed", "sendEmail 422 invalid_request"],
      parameters: ["sendEmail Idempotency-Key"],
      responseProperties: ["sendEmail id", "getEmail events.*.type", "getEmail error.type"],
    };
    const unknown = { requirements: ["SEND-1", "FOO-1"], operations: ["nope"], statuses: ["sendEmail 999"] };
    const others = { properties: ["sendEmail zzz"], responseProperties: ["sendEmail zzz"] };
    const folder = folderWith({
      "known.json": JSON.stringify(known),
      "unknown.json": JSON.stringify({ ...needs, ...unknown, ...others }),
      "report.json": jsonText(resultOf([outcome({})])),
    });
    const compared = (name: string) =>
      runCompare(join(folder, "report.json"), undefined, { needs: join(folder, name) });
    expect(await compared("known.json")).not.toBe(2);
    const rejected = compared("unknown.json");
    const entries =
      "requirements: FOO-1, operations: nope, statuses: sendEmail 999, properties: sendEmail zzz, responseProperties: sendEmail zzz";
    const message = `the document does not have these entries of ${join(folder, "unknown.json")}: ${entries}`;
    await expect(rejected).rejects.toMatchObject({ exitCode: 2, message });
  });

  it("take one report, and a file of needs", async () => {
    await expect(runCompare("a.json", "b.json", { needs: "c" })).rejects.toThrow(
      "--needs takes one report (got 2)",
    );
    await expect(runCompare("a.json")).rejects.toThrow("the later report is missing");
    const published = join(
      folderWith({ "report.json": jsonText(publishedReport(resultOf())) }),
      "report.json",
    );
    await expect(runCompare(published, undefined, { needs: "c" })).rejects.toThrow("does not show needs");
    const folder = folderWith({
      "needs.json": `{"format": 1}`,
      "report.json": jsonText(resultOf([outcome({})])),
    });
    const options = { needs: join(folder, "needs.json") };
    await expect(runCompare(join(folder, "report.json"), undefined, options)).rejects.toThrow(
      "must have the property tool",
    );
  });
});
