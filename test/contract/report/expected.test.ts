import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { ExpectedFailure } from "../../../contract/config/load.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { annotationsReport } from "../../../contract/report/annotations.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { expectedFile } from "../../../contract/report/expected.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

const check = "a request with its key is accepted";
const found = { expected: "202", found: "404", exchange: 0 };
const missing = { sendBatch: "/api/v1/emails/batch", sendEmail: "/api/v1/emails" };

/** A failing case of AUTH-1, whose response also has no request id. */
const failing = (operation: keyof typeof missing): CaseOutcome => {
  const exchange = { ...sampleExchange, path: missing[operation] };
  const failures = [{ ...found, exchange }];
  return outcome({
    ids: ["AUTH-1"],
    check,
    title: operation,
    operation,
    verdict: "fail",
    failure: found,
    exchanges: [exchange],
    responseChecks: [{ ids: ["HEAD-1"], title: "has a request id", responses: 1, failures }],
  });
};
const passing = outcome({ ids: ["AUTH-1"], check, title: "getMe", operation: "getMe" });
const silent = outcome({
  ids: ["BATCH-1"],
  check: "a batch is accepted",
  verdict: "error",
  reason: "No response to POST /api/v1/emails/batch: it took longer than 10 s (deadlines.response)",
  operation: "sendBatch",
  exchanges: [],
});

const verdictsOf = ({ requirements }: ContractResult): Record<string, string> =>
  Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict]));
const textOf = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));
const of = (id: string, more: Partial<ExpectedFailure> = {}): ExpectedFailure => ({ id, ...more });

describe("an expected failure", () => {
  test("counts all failures that it covers, not those that are kept alone", () => {
    const result = resultOf(
      Array.from({ length: 40 }, () => failing("sendBatch")),
      [of("HEAD-1")],
    );
    expect(result.responseChecks[0]?.failures.length).toBeLessThan(10);
    expect(result.expectedFailures?.[0]?.covered?.failures).toBe(40);
  });

  test("says what was found in a few of the failures that it covers", () => {
    const failures = Array.from({ length: 3000 }, (_, index) => ({
      ...failing("sendBatch"),
      title: `case ${index}`,
      failure: { ...found, found: `${index} messages` },
    }));
    const result = resultOf(failures, [of("AUTH-1"), of("HEAD-1")]);
    expect(result.expectedFailures?.[0]?.covered?.failures).toBe(3000);
    expect(result.expectedFailures?.[0]?.covered?.found.length).toBeLessThan(10);
    const text = textOf(result).replaceAll(/\s+/g, " ");
    expect(text).toContain("AUTH-1: covers 3000 failures, such as 0 messages, 1 messages, 2 messages");
  });

  test.each([
    ["of the operation", { operation: "sendBatch" }],
    ["of the test case", { case: `${check}: sendBatch` }],
  ])("%s excuses no other failure of its requirement", (_, narrow) => {
    const entries = [of("AUTH-1", narrow), of("HEAD-1", { operation: "sendBatch" })];
    const excused = resultOf([failing("sendBatch"), passing], entries);
    expect(verdictsOf(excused)).toEqual({ "AUTH-1": "expected failure", "HEAD-1": "expected failure" });
    expect(excused.exitCode).toBe(0);
    const other = resultOf([failing("sendBatch"), failing("sendEmail"), passing], entries);
    expect(verdictsOf(other)).toEqual({ "AUTH-1": "fail", "HEAD-1": "fail" });
    // Both have one cause, the operation that does not exist.
    const errors = annotationsReport(other)
      .split("\n")
      .filter((line) => line.startsWith("::error"));
    expect(errors).toEqual([expect.stringMatching(/title=AUTH-1 .*found: 404.*also fails: HEAD-1$/)]);
    expect(junitReport(other)).toContain(`failures="2" errors="0" skipped="1"`);
  });

  test("of a requirement says how many failures it covers, and which kinds", () => {
    const other = { ...failing("sendEmail"), failure: { ...found, found: "a header, found twice" } };
    const entries = [of("AUTH-1"), of("HEAD-1", { operation: "sendBatch" })];
    const run = [failing("sendBatch"), other, { ...other, title: "again" }];
    const { expectedFailures, ...result } = resultOf(run, entries);
    expect(expectedFailures?.[0]?.covered).toEqual({ failures: 3, found: ["404", "a header, found twice"] });
    const text = textOf({ ...result, expectedFailures: expectedFailures ?? [] }).replaceAll(/\s+/g, " ");
    expect(text).toContain("- AUTH-1: covers 3 failures, such as 404, a header, found twice");
    expect(text).not.toContain("covers 1");
    expect(expectedFile(resultOf([failing("sendBatch"), other], entries))).not.toContain("covered");
  });

  test("covers failures of one kind if they differ in times only", () => {
    const found = (time: string) => `sent_at is ${time}, without an offset: write ${time}Z`;
    const cases = ["2026-11-27T07:53:45.813", "2026-11-27T07:53:45.807"].map((time, index) => ({
      ...failing(index === 0 ? "sendEmail" : "sendBatch"),
      failure: { expected: "an offset", found: found(time), exchange: 0 },
    }));
    const entries = [of("AUTH-1", { reason: "Times get their zone in October." }), of("HEAD-1")];
    const text = textOf(resultOf(cases, entries)).replaceAll(/\s+/g, " ");
    expect(text).toContain("- AUTH-1: Times get their zone in October; covers 2 failures - HEAD-1");
  });

  test("never excuses an error, such as a request without a response", () => {
    const result = resultOf([silent], [of("BATCH-1", { reason: "no batches yet" })]);
    expect([result.exitCode, verdictsOf(result)]).toEqual([1, { "BATCH-1": "error" }]);
    expect(textOf(result)).toContain("Exit code 1: 1 requirement ends in an error.");
    expect(textOf(result)).not.toContain("no batches yet");
    const both = resultOf(
      [failing("sendBatch"), { ...silent, ids: ["AUTH-1"] }],
      [of("AUTH-1"), of("HEAD-1")],
    );
    expect(verdictsOf(both)).toEqual({ "AUTH-1": "error", "HEAD-1": "expected failure" });
  });

  test("is named where all else passes", () => {
    const result = resultOf([failing("sendBatch"), passing], [of("AUTH-1"), of("HEAD-1")]);
    expect(textOf(result).replaceAll(/\s+/g, " ")).toContain(
      "Exit code 0: every tested requirement of the profile core passes, apart from 2 expected failures.",
    );
  });

  test("that does not fail any more fails the run, also if others of its requirement fail", () => {
    const stale = of("AUTH-1", { case: `${check}: getMe` });
    const result = resultOf(
      [failing("sendBatch"), passing],
      [of("HEAD-1"), of("AUTH-1", { operation: "sendBatch" }), stale],
    );
    expect([result.exitCode, result.stale]).toEqual([1, ["AUTH-1"]]);
    expect(textOf(result)).toContain("Exit code 1: 1 expected failure is stale.");
  });

  test("of a case that does not exist says so, not that it passes", () => {
    const result = resultOf([passing], [of("AUTH-1", { case: "no such case" })]);
    const text = textOf(result).replaceAll(/\s+/g, " ");
    expect(result.exitCode).toBe(1);
    expect(text).toContain("Expected failures whose case is none of this run: correct its name");
    expect(text).toContain("- AUTH-1: no such case");
    expect(text).not.toContain("which pass");
    expect(textOf(resultOf([passing], [of("AUTH-1", { case: `${check}: getMe` })]))).toContain("which pass");
  });

  test("fails the run once its last day is over, and is valid until then", () => {
    const now = new Date().toISOString().slice(0, 10);
    const entry = { owner: "mail team", reason: "no batches yet" };
    const valid = resultOf([failing("sendBatch")], [of("AUTH-1", { ...entry, until: now }), of("HEAD-1")]);
    expect(valid.exitCode).toBe(0);
    expect(textOf(valid)).toContain(`- AUTH-1: no batches yet; mail team; until ${now}`);
    const entries = [of("AUTH-1", { ...entry, until: "2026-01-31" }), of("HEAD-1")];
    const expired = resultOf([failing("sendBatch")], entries);
    expect([expired.exitCode, verdictsOf(expired)["AUTH-1"]]).toEqual([1, "fail"]);
    expect(annotationsReport(expired)).toContain("mail team; until 2026-01-31%0AAUTH-1");
    const repaired = resultOf([passing], [of("AUTH-1", { until: "2026-01-31" })]);
    expect(repaired.exitCode).toBe(1);
    expect(textOf(repaired)).toContain("Exit code 1: 1 expected failure has expired.");
    expect(textOf(repaired)).toContain("- AUTH-1: until 2026-01-31");
    expect(textOf(expired)).not.toContain("which pass");
    expect(badgeReport(repaired)).toContain("1 expected failure has expired");
    const removal = "Expired expected failures, which pass or are not implemented: remove their entries";
    expect(textOf(repaired).replaceAll(/\s+/g, " ")).toContain(removal);
    expect(annotationsReport(repaired)).toContain(removal.replace(",", "%2C").replace(":", "%3A"));
    expect(textOf(expired)).not.toContain(removal);
    expect(junitReport(repaired)).toMatch(
      /failures="1" [\s\S]*<failure message="It is an expected failure, which has expired \(until 2026-01-31\), and passes or is not implemented\." [^>]*>Remove its entry/,
    );
    expect(junitReport(expired)).toContain("Fix it, or agree on another day.");
    // What does not exist needs no fix, but its entry can go.
    const until = "2026-01-31";
    for (const one of [of("BATCH-1", { until }), of("AUTH-1", { operation: "sendBatch", until })]) {
      const result: ContractResult = { ...resultOf([passing], [one]), notImplemented: ["sendBatch"] };
      expect(result.exitCode).toBe(1);
      const text = "which pass or are not implemented: remove their entries";
      expect(textOf(result).replaceAll(/\s+/g, " ")).toContain(text);
      expect(junitReport(result)).toContain("Remove its entry");
    }
    // Also if the run is not about it.
    expect(resultOf([passing], [of("SEND-9", { until: "2026-01-31" })]).exitCode).toBe(1);
    expect(resultOf([passing], [of("SEND-9", { until: now })]).exitCode).toBe(0);
  });
});

describe("a list written from a run", () => {
  const run = [failing("sendBatch"), passing, silent];
  const written = (result: ContractResult) => parse(expectedFile(result)) as ExpectedFailure[];

  test("excuses what failed, by operation or test case, and nothing else", () => {
    const entries = written(resultOf(run, []));
    expect(entries).toEqual([
      { id: "AUTH-1", operation: "sendBatch", reason: "expected 202, found 404" },
      { id: "HEAD-1", operation: "sendBatch", case: "has a request id", reason: "expected 202, found 404" },
    ]);
    expect(resultOf([failing("sendBatch"), passing], entries).exitCode).toBe(0);
    // An error shows nothing that could be expected.
    expect(resultOf(run, entries).exitCode).toBe(1);
    expect(resultOf([failing("sendBatch"), failing("sendEmail")], entries).exitCode).toBe(1);
    const half = outcome({ ...failing("sendBatch"), title: "sendBatch again", verdict: "pass" });
    expect(written(resultOf([failing("sendBatch"), half], [])).at(0)).toMatchObject({
      case: `${check}: sendBatch`,
    });
  });

  test("keeps what people wrote, without what passes", () => {
    const own = of("AUTH-1", { reason: "see ticket 7", owner: "mail", until: "2026-01-31" });
    const entries = written(resultOf(run, [own, of("IDEM-1"), of("HEAD-1", { case: "no such" })]));
    expect(entries).toContainEqual(own);
    expect(entries.filter(({ id }) => id === "AUTH-1")).toHaveLength(1);
    expect(written(resultOf([passing], [of("AUTH-1")]))).toEqual([]);
  });
});

test("the last line names what never responded, or not always", () => {
  const unanswered = [
    { request: "GET /api/v1/me", tries: 40, unanswered: 2, reason: "other side closed" },
    { request: "POST /api/v1/emails/batch", tries: 3, unanswered: 3, reason: "10 s" },
  ];
  const result = resultOf([silent], [], { unanswered });
  expect(textOf(result).replaceAll(/\s+/g, " ")).toContain(
    "Exit code 1: 1 requirement ends in an error. POST /api/v1/emails/batch never responded (3 of 3 tries, 10 s); GET /api/v1/me did not respond (2 of 40 tries, other side closed).",
  );
  const reason = "status 200 and 7 of 12 bytes of the body; 10 s";
  const part = { request: "POST /api/v1/emails/batch", tries: 3, unanswered: 3, reason };
  const cut = resultOf([silent], [], { unanswered: [part] });
  expect(textOf(cut).replaceAll(/\s+/g, " ")).toContain(
    "POST /api/v1/emails/batch never responded completely (3 of 3 tries, status 200 and 7 of 12 bytes",
  );
  // A response that was cut on purpose, or after the verdict, is no fact about the server.
  expect(textOf(resultOf([passing], [], { unanswered }))).not.toContain("respond (");
});
