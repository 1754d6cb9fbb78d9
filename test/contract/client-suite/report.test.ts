import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { type ContractResult, failedCases } from "../../../contract/report/result.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { runClientInit } from "../../../scripts/client-suite/command.ts";
import { runClientCommand } from "../../../scripts/client-suite/run-command.ts";
import { outcome, resultOf, sampleExchange } from "../report/samples.ts";

const client: ContractResult["client"] = {
  name: "ruby <net/http>",
  driver: "ruby driver.rb",
  operations: ["getMe", "sendEmail"],
  retries: false,
  idempotencyKeys: "explicit",
  timeouts: true,
};

const of = (outcomes: CaseOutcome[], scope?: ReadonlySet<string>): ContractResult =>
  summarize({ ...resultOf(), client }, outcomes, [], new Set(), undefined, scope);

const crash = [
  "The driver ended with exit code 1.",
  'In the call {"operation":"getMe"}',
  "Its last output:",
  "boom in the middle",
].join("\n");
const crashed = of([outcome({ ids: ["GEN-12"], verdict: "error", reason: crash })]);

describe("a report on a client", () => {
  test("names the client", () => {
    expect(markdownReport(of([outcome({})]))).toContain(
      "## Client: 1 of 1 requirement pass\n\nruby &lt;net/http&gt; ·",
    );
    expect(junitReport(of([outcome({})]))).toContain('name="client" value="ruby &lt;net/http&gt;"');
    expect(badgeReport(of([outcome({})]))).toContain(
      "<title>ruby &lt;net/http&gt;: 1 of 1 pass (profile core)</title>",
    );
  });

  test("shows an error with its requirements, the call and the last lines of the driver", () => {
    const lines = stripVTControlCharacters(consoleText(crashed)).split("\n");
    const start = lines.indexOf("Errors:");
    expect(lines.slice(start + 1, start + 6)).toEqual([
      "- The driver ended with exit code 1.",
      "  1 requirement: GEN-12",
      '  In the call {"operation":"getMe"}',
      "  Its last output:",
      "  boom in the middle",
    ]);
    expect(lines.at(-1)).toBe("Exit code 3: no requirement fails, 1 with errors.");
    expect(markdownReport(crashed)).toContain("boom in the middle");
  });

  test("shows no request of another call with a failure that has none", () => {
    const failure = { expected: "a request", found: "none", exchange: null };
    const result = of([outcome({ verdict: "fail", failure, exchanges: [sampleExchange] })]);
    expect(failedCases(result).flatMap(({ exchanges }) => exchanges)).toEqual([]);
  });

  test("counts the requirements of the client suite that a run leaves out, and does not send to another suite", () => {
    const { notTested } = of([outcome({ ids: ["GEN-9"] })], new Set(["GEN-9", "GEN-10", "LOOK-1"]));
    expect(notTested.map(({ id, reason }) => [id, reason])).toEqual([
      ["GEN-10", "No check of this run verifies it."],
      ["LOOK-1", "No check of this run verifies it."],
    ]);
  });

  test("shows the call, its attempts, its idempotency key and the reply with a request", () => {
    const sent = {
      ...sampleExchange,
      call: { line: '{"operation":"sendEmail"}', reply: '{"result":1}', attempts: ["POST /emails 503"] },
      request: { headers: { "idempotency-key": "work-1" }, body: null },
    };
    const failure = { expected: "a", found: "b", exchange: 0 };
    const result = of([outcome({ verdict: "fail", failure, exchanges: [sent] })]);
    for (const text of [
      stripVTControlCharacters(consoleText(result)),
      junitReport(result),
      markdownReport(result),
    ])
      expect(text).toMatch(
        /call\W+\{.*operation.*sendEmail[\s\S]*attempt\W+POST \/emails 503[\s\S]*reply[\s\S]*Idempotency-Key: work-1/i,
      );
  });

  test("has no empty commands, because the server of a run is stopped", () => {
    const failure = { expected: "a", found: "b", exchange: 0 };
    expect(markdownReport(of([outcome({ verdict: "fail", failure })]))).not.toMatch(/```sh/);
    const server = resultOf([outcome({ verdict: "fail", failure })], []);
    expect(markdownReport(server)).toMatch(/```sh\ncurl/);
  });

  test("shows a call and its reply once, with the first of its attempts", () => {
    const call = { line: '{"operation":"getMe"}', reply: '{"result":"one reply"}', attempts: [] };
    const exchanges = [
      { ...sampleExchange, call },
      { ...sampleExchange, call: { ...call, attempts: ["GET /me 503"] } },
      { ...sampleExchange, call },
    ];
    const failure = { expected: "a", found: "b", exchange: 1 };
    const page = htmlReport(of([outcome({ verdict: "fail", failure, exchanges })]));
    expect(page.match(/Call <code>/g)).toHaveLength(2);
    expect(page.match(/Reply <code>/g)).toHaveLength(2);
  });

  test("does not count what is checked in requests and replies as requests", () => {
    const tally = { ids: ["AUTH-6"], title: "no key in the output", responses: 3 };
    const failed = outcome({
      responseChecks: [{ ...tally, failures: [{ expected: "a", found: "b", exchange: 0 }] }],
    });
    expect(htmlReport(of([failed]))).toContain("fails 1 of 3 times");
    expect(junitReport(of([failed]))).toContain("fails 1 of 3 times");
    expect(htmlReport(resultOf([failed], []))).toContain("fails in 1 of 3 responses");
  });

  test("lists the operations that the driver lacks", () => {
    const reason = "The driver does not have the operation getEmail.";
    const text = consoleText(of([outcome({ verdict: "not verified", reason })]));
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      "The driver has 2 of 11 operations; it lacks sendBatch, getEmail, rescheduleEmail",
    );
  });
});

describe("the command", async () => {
  const folder = await mkdtemp(join(tmpdir(), "client-"));
  afterAll(() => rm(folder, { recursive: true }));

  test("rejects expected failures of servers", async () => {
    const expectedFailures = join(folder, "expected.yaml");
    await writeFile(expectedFailures, "- { id: SCHED-11, reason: a rule for servers }\n");
    const run = runClientCommand({ driver: "exit 1", profile: "core", expectedFailures });
    await expect(run).rejects.toThrow(/has SCHED-11, which the client suite does not verify/);
  });

  test("writes no driver in place of a folder", async () => {
    for (const force of [false, true])
      await expect(runClientInit("python", { output: folder, force })).rejects.toThrow(/is a directory$/);
  });
});
