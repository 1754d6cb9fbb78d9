import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { annotationsReport } from "../../../contract/report/annotations.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { withBaseline } from "../../../contract/report/baseline.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { jsonText } from "../../../contract/report/json.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { publishedReport } from "../../../contract/report/publish.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import type { ReportVerdict } from "../../../generated/schema-types.ts";
import { runClientCommand } from "../../../scripts/client-suite/run-command.ts";
import { runCompare } from "../../../scripts/compare/command.ts";
import { runContractCommand } from "../../../scripts/contract/run-command.ts";
import { complaint, folderWith } from "../config/folder.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

/** A result with these verdicts. */
const having = (verdicts: Record<string, ReportVerdict>, expected: string[] = []): ContractResult =>
  resultOf(
    Object.entries(verdicts).map(([id, verdict]) =>
      outcome({
        ids: [id],
        check: `check of ${id}`,
        verdict,
        ...(verdict === "fail" && {
          failure: { expected: "a", found: "b".repeat(Number(id.slice(5))), exchange: 0 },
        }),
        ...(verdict === "not verified" && { reason: "Not configured: keys.second." }),
      }),
    ),
    expected,
  );

const compared = (before: ContractResult, after: ContractResult): ContractResult =>
  withBaseline(after, { file: "before.json", report: before });

const before = having({
  "SEND-1": "pass",
  "SEND-2": "fail",
  "SEND-3": "fail",
  "SEND-4": "not verified",
  "SEND-5": "pass",
  "SEND-6": "fail",
  "SEND-7": "not verified",
});
const after = having({
  "SEND-1": "fail",
  "SEND-2": "fail",
  "SEND-3": "pass",
  "SEND-4": "pass",
  "SEND-5": "error",
  "SEND-7": "fail",
  "SEND-8": "pass",
});

describe("a result with a baseline", () => {
  test("has new failures, known and fixed ones, and what is newly or no longer verified", () => {
    const { baseline, exitCode } = compared(before, after);
    expect(baseline).toMatchObject({
      newFailures: ["SEND-1", "SEND-5", "SEND-7"],
      knownFailures: ["SEND-2"],
      fixed: ["SEND-3"],
      newlyVerified: ["SEND-4", "SEND-8"],
      noLongerVerified: ["SEND-6"],
    });
    expect(exitCode).toBe(1);
  });

  test("that replaces an earlier comparison has no failure of that one as known", () => {
    const first = compared(before, having({ "SEND-2": "fail" }));
    const again = compared(having({ "SEND-2": "pass" }), first);
    expect([first.exitCode, again.exitCode, again.baseline?.newFailures]).toEqual([0, 1, ["SEND-2"]]);
    expect(stripVTControlCharacters(consoleText(again))).toMatch(/^SEND-2 check of SEND-2$/m);
  });

  test("says how many test cases are not in the run any more, such as those of a check with another title", () => {
    const renamed = (check: string, verdict: ReportVerdict) =>
      resultOf(
        [outcome({ ids: ["SEND-1"], check, verdict, failure: { expected: "a", found: "b", exchange: 0 } })],
        [],
      );
    const result = compared(renamed("the title before", "fail"), renamed("another title", "fail"));
    expect(result.baseline).toMatchObject({ newFailures: ["SEND-1"], missingCases: 1 });
    for (const report of [consoleText, markdownReport, htmlReport])
      expect(stripVTControlCharacters(report(result)).replaceAll(/\s+/g, " ")).toContain(
        "1 test case of the baseline is not in this run and not compared: left out, or of a check that has another title by now",
      );
    expect(compared(before, before).baseline).not.toHaveProperty("missingCases");
  });

  test("has exit code 0 without a new failure, although some fail or are still not verified", () => {
    const known = having({ "SEND-2": "fail", "SEND-4": "not verified" });
    expect([known.exitCode, compared(before, known).exitCode]).toEqual([1, 0]);
  });

  test("is not passed by an error, or by what cannot be verified any more", () => {
    const withError = compared(before, having({ "SEND-5": "error" }));
    expect([withError.exitCode, withError.baseline?.newFailures]).toEqual([1, ["SEND-5"]]);
    expect(compared(having({ "SEND-5": "error" }), having({ "SEND-5": "error" })).exitCode).toBe(0);
    const lost = compared(before, having({ "SEND-5": "not verified" }));
    expect(lost.exitCode).toBe(3);
    expect(stripVTControlCharacters(consoleText(lost)).replaceAll(/\s+/g, " ")).toContain(
      "Exit code 3: no new failure compared with before.json, but 1 requirement is no longer verified.",
    );
  });

  test("has a fix of what fails no more, although another test case lacks a fixture in both runs", () => {
    const run = (verdict: ReportVerdict, other: ReportVerdict): ContractResult =>
      resultOf(
        [
          outcome({
            ids: ["BATCH-12"],
            title: "without suppressed recipients",
            verdict,
            ...(verdict === "fail" && { failure: { expected: "a", found: "b", exchange: 0 } }),
          }),
          outcome({
            ids: ["BATCH-12"],
            title: "with one",
            verdict: other,
            reason: "Not configured: suppressed.",
          }),
        ],
        [],
      );
    const fixed = compared(run("fail", "not verified"), run("pass", "not verified"));
    expect(fixed.baseline).toMatchObject({ fixed: ["BATCH-12"], noLongerVerified: [] });
    expect(fixed.exitCode).toBe(0);
    const lost = compared(run("fail", "pass"), run("pass", "not verified"));
    expect(lost.baseline).toMatchObject({ fixed: [], noLongerVerified: ["BATCH-12"] });
    expect(lost.exitCode).toBe(3);
  });

  test("has a new failure in another test case, or in responses of another operation, of a requirement that failed", () => {
    const failing = (title: string, path: string, method = "POST"): CaseOutcome => {
      const found = { expected: "a", found: "b", exchange: 0 };
      const exchange = { ...sampleExchange, method, path };
      const failures = [{ ...found, exchange }];
      const responseChecks = [{ ids: ["HEAD-1"], title: "has a request id", responses: 1, failures }];
      const exchanges = [exchange];
      return outcome({ ids: ["AUTH-1"], title, verdict: "fail", failure: found, exchanges, responseChecks });
    };
    const first = resultOf([failing("sendBatch", "/api/v1/emails/batch")], []);
    expect(compared(first, first).exitCode).toBe(0);
    for (const [other, ids] of [
      [failing("getMe", "/api/v1/me", "GET"), ["HEAD-1", "AUTH-1"]],
      [failing("sendBatch", "/api/v1/emails"), ["HEAD-1"]],
    ] as const) {
      const { baseline, exitCode } = compared(
        first,
        resultOf([failing("sendBatch", "/api/v1/emails/batch"), other], []),
      );
      expect(exitCode).toBe(1);
      expect(baseline?.newFailures.toSorted()).toEqual([...ids].toSorted());
    }
  });

  test("counts no expected failure as new, and no stale one", () => {
    const expected = having({ "SEND-1": "fail", "SEND-3": "pass" }, ["SEND-1", "SEND-3"]);
    const { baseline, exitCode, stale } = compared(before, expected);
    expect([baseline?.newFailures, exitCode, stale]).toEqual([[], 0, ["SEND-3"]]);
    const listed = having({ "SEND-2": "fail" }, ["SEND-2"]);
    expect(compared(listed, having({ "SEND-2": "fail" })).baseline?.knownFailures).toEqual(["SEND-2"]);
  });

  test("has a badge that says what fails the run beside known failures", () => {
    const expired = {
      state: "expired" as const,
      id: "SEND-1",
      reason: "Known.",
      until: "2020-01-01",
    };
    const badge = (changes: Partial<ContractResult>) =>
      badgeReport(compared(before, { ...before, ...changes }));
    expect(badge({ expectedFailures: [expired] })).toContain("contract: 1 expected failure has expired");
    expect(badge({ resetError: "It failed." })).toContain("contract: the hook reset failed");
  });

  test("is in every report for people, in full only the new failures", () => {
    const result = compared(before, after);
    const text = stripVTControlCharacters(consoleText(result));
    expect(text).toContain(
      [
        "Compared with before.json (https://api.example.com, profile core, 2026-01-02):",
        "- New failures (3): SEND-1, SEND-5, SEND-7",
        "- Fixed (1): SEND-3",
        "- Newly verified (2): SEND-4, SEND-8",
        "- No longer verified (1): SEND-6",
        "- Known failures (1): SEND-2",
      ].join("\n"),
    );
    expect(text).toContain("Exit code 1: 3 new failures compared with before.json, 1 known failure.");
    expect(text.match(/^ {2}expected/gm)).toHaveLength(2);
    for (const report of [markdownReport(result), htmlReport(result)])
      expect(report).toMatch(/New failures \(3\)[\s\S]*Fixed \(1\)[\s\S]*No longer verified \(1\)/);
    expect(badgeReport(result)).toContain("contract: 3 new failures (profile core)");
    expect(junitReport(result)).toContain(`failures="2"`);
    expect(annotationsReport(result).match(/^::error/gm)).toHaveLength(3);
  });

  test("says so if nothing changed, or if the profile is another", () => {
    const same = stripVTControlCharacters(consoleText(compared(before, before)));
    expect(same).toContain("- Known failures (3): SEND-2, SEND-3, SEND-6");
    expect(same).toContain("Exit code 0: no new failure compared with before.json, 3 known failures.");
    const passing = having({ "SEND-1": "pass" });
    expect(consoleText(compared(passing, passing))).toContain("- No requirement has another verdict");
    const full = { ...after, profile: "full" as const };
    expect(consoleText(compared(before, full)).replaceAll(/\s+/g, " ")).toContain(
      "The baseline is of the profile core, this run of full: requirements of one of them",
    );
  });
});

describe("compare", () => {
  const client: ContractResult["client"] = {
    name: "ruby",
    driver: "ruby driver.rb",
    operations: [],
    retries: false,
    idempotencyKeys: "explicit",
    timeouts: true,
  };

  /** Runs the command on two files; returns the exit code and what it prints. */
  async function compare(
    files: Record<string, string>,
  ): Promise<{ exitCode: number; text: string; folder: string }> {
    const folder = folderWith(files);
    const print = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const html = join(folder, "report.html");
    const json = join(folder, "report.json");
    const exitCode = await runCompare(join(folder, "before"), join(folder, "after"), { html, json });
    return { exitCode, folder, text: stripVTControlCharacters(print.mock.calls.flat().join("\n")) };
  }

  test("prints new failures and the comparison, and writes the reports of the second", async () => {
    const files = { before: jsonText(before), after: jsonText(after) };
    const { exitCode, text, folder } = await compare(files);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^SEND-1 check of SEND-1\n[\s\S]*\nCompared with [\s\S]*- New failures \(3\)/);
    expect(text).not.toContain("Topic");
    const written = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as ContractResult;
    expect(written.baseline?.newFailures).toEqual(["SEND-1", "SEND-5", "SEND-7"]);
    expect((await compare({ before: files.after, after: files.after })).exitCode).toBe(0);
  });

  test("names the implementation of a published report, whose base URL is left out", async () => {
    const implementation = { name: "Postbox", version: "2.3.0" };
    const published = jsonText(publishedReport({ ...before, implementation }));
    const { text } = await compare({ before: published, after: published });
    expect(text).toMatch(/Compared with \S*before \(Postbox\s2\.3\.0,\sprofile\score/);
    expect(text).not.toContain("***");
  });

  const good = jsonText(before);
  test.each([
    ["is empty", "", "before is not valid JSON: it is damaged, or ends too early"],
    ["is cut", good.slice(0, 900), "before is not valid JSON: it is damaged, or ends too early"],
    ["is not JSON", "<html>", "before is not valid JSON: it is damaged, or ends too early"],
    [
      "is nested deep",
      `{"tool":${"[".repeat(600)}${"]".repeat(600)}}`,
      "before has more than 500 levels\nGive the JSON report",
    ],
    [
      "is of another tool",
      `{"log":{}}`,
      "before is not a report of email-api-contract\nGive the JSON report",
    ],
    ["is null", "null", "before is not a report of email-api-contract"],
    [
      "is of a newer format",
      good.replace(`"format": 1`, `"format": 2`),
      "before has the format 2; this version reads the format 1\nUpdate",
    ],
    [
      "lacks something",
      good.replace(`"requirements": [`, `"others": [`),
      "must have the property requirements",
    ],
    [
      "is of a client",
      jsonText({ ...before, client }),
      "before is the report of the client ruby, not of a server\nGive a report of the command `contract`",
    ],
  ])("rejects a baseline that %s", async (_, text, says) => {
    const folder = folderWith({ before: text, after: good });
    const error = await complaint(runCompare(join(folder, "before"), join(folder, "after")));
    expect(error.text.replaceAll(`${folder}/`, "")).toContain(says);
    expect(error.exitCode).toBe(2);
  });

  test("contract and client reject a baseline before the run", async () => {
    const folder = folderWith({ server: good, client: jsonText({ ...before, client }) });
    const ofServer = runClientCommand({
      driver: "exit 1",
      profile: "core",
      baseline: join(folder, "server"),
    });
    expect((await complaint(ofServer)).text).toContain("server is the report of a server, not of a client");
    for (const baseline of ["client", "missing"].map((name) => join(folder, name)))
      expect((await complaint(runContractCommand({ baseline }))).exitCode).toBe(2);
  });
});
