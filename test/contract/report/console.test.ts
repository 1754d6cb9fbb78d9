import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { diagnose, type Finding } from "../../../contract/report/causes.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { jsonText } from "../../../contract/report/json.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { missingSettings } from "../../../contract/report/sections.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor } from "../../mutants/mutant.ts";
import { hostile, oneOfEach, outcome, repeatedKeysResult, resultOf, sampleExchange } from "./samples.ts";

const text = stripVTControlCharacters(consoleText(resultOf()));

describe("the console text", () => {
  test("counts by topic, with a column for expected failures if there are any", () => {
    expect(text).toMatch(/^Topic +Pass +Fail +Expected failure +Not verified +Error\n/);
    expect(text).toMatch(/^idempotency +1 +2 +- +- +-$/m);
    expect(consoleText(resultOf(oneOfEach, []))).not.toMatch(/^Topic.*Expected/m);
  });

  test("shows a failure: requirement, expected, found, request, response and a command", () => {
    expect(text).toMatch(/^IDEM-2 IDEM-3 a failing sample: one case$/m);
    expect(text).toMatch(/^ {2}IDEM-2 {4}The same idempotency key/m);
    expect(text).toMatch(/^ {2}expected {2}status 202$/m);
    expect(text).toMatch(/^ {2}found {5}status 200 /m);
    expect(text).toMatch(/^ {2}request {3}POST \/api\/v1\/emails$/m);
    expect(text).toMatch(/^ {2}response {2}200 <b>/m);
    expect(text).toContain(`-H "authorization: Bearer $CONTRACT_KEY_SEND_ONLY" \\`);
    expect(text).toContain("It fails in 1 more case.");
  });

  test("lists what is not verified, errors, and stale expected failures", () => {
    expect(text).toContain("- Set `keys.sendOnly` and `lists.plain`: 1 more requirement");
    expect(text).toMatch(
      /^- No response to GET \/api\/v1\/newsletter\/lists\b.*\n(.*\n)? {2}1 requirement: /m,
    );
    expect(text).toContain("Expected failures:\n- SEND-1");
    expect(text).toMatch(/Stale expected failures, which pass.*\n- IDEM-1/);
    expect(text).toContain("- field </pre><script>");
  });

  test("says of each addition of the server that it is allowed, once", () => {
    const parts = ["header x-a (getMe 2XX)", "header x-b (a 1)", "header x-b (b 1)", "header x-b (c 1)"];
    const information = [...parts, "header x-b (d 1)"];
    expect(stripVTControlCharacters(consoleText(resultOf([outcome({ information })], [])))).toContain(
      "Additions of the server to the document:\n- header x-a: allowed (getMe 2XX)\n- header x-b: allowed (a 1, b 1, c 1 and 1 more)\n",
    );
  });

  test("names the verdict of each of up to ten requirements", () => {
    const verdicts = (ids: readonly string[]): string =>
      stripVTControlCharacters(
        consoleText(
          resultOf(
            ids.map((id) => outcome({ ids: [id], check: id })),
            [],
          ),
        ),
      );
    expect(verdicts(["BATCH-7"])).toMatch(/^Requirements:\n- BATCH-7 pass: A batch is accepted/m);
    const ids = Array.from({ length: 11 }, (_, index) => `SEND-${index + 1}`);
    expect(verdicts(ids.slice(1)).match(/^- SEND-\d+ pass: /gm)).toHaveLength(10);
    expect(verdicts(ids)).not.toContain("Requirements:");
  });

  test("ends with the meaning of the exit code", () => {
    expect(text.replaceAll("\n", " ")).toMatch(
      /Exit code 1: 3 requirements fail, 1 requirement ends in an error, 1 expected failure is stale\.$/,
    );
    const ending = (outcomes: Parameters<typeof resultOf>[0], expected: string[] = []): string =>
      stripVTControlCharacters(consoleText(resultOf(outcomes, expected)))
        .split("\n")
        .at(-1) ?? "";
    expect(ending([outcome({})])).toMatch(/^Exit code 0: every tested requirement of the profile core/);
    expect(ending([outcome({ verdict: "not verified" })])).toMatch(/^Exit code 3: no requirement fails/);
    expect(ending([outcome({})], ["IDEM-1"])).toMatch(/^Exit code 1: 1 expected failure is stale/);
  });

  test("is only the reason and the exit code if no requirement could be tested", () => {
    const needs = ["sendEmail"];
    const notImplemented = ["sendEmail", "sendBatch", "getEmail", "rescheduleEmail", "cancelEmail"];
    const open = { id: "UNSUB-3", topic: "unsubscribing", text: "T.", reason: "Needs sendEmail.", needs };
    const shown = consoleText(resultOf([], [], { notTested: [open], exitCode: 3, notImplemented }));
    expect(stripVTControlCharacters(shown)).toBe(
      "Not tested, although the operation is there:\n- Needs sendEmail: UNSUB-3\n\nExit code 3: no check could run.",
    );
  });

  test("shows five failed checks in full, and the titles of the others", () => {
    const checks = Array.from({ length: 60 }, (_, index) => {
      const failure = { expected: "a", found: `b${"b".repeat(index)}`, exchange: 0 };
      return outcome({ check: `check ${index}`, verdict: "fail", failure });
    });
    const many = stripVTControlCharacters(consoleText(resultOf(checks, [])));
    expect(many.match(/^ {2}expected/gm)).toHaveLength(5);
    expect(many).toContain(
      "Other failures, in full with --html report.html or --grep and an id:\n- IDEM-1 check 5\n    expected a; found bbbbbb\n",
    );
    expect(many).toContain("- and 15 more");
  });

  test("lists what every response can show with the others: --grep takes its id too", () => {
    const checks = Array.from({ length: 6 }, (_, index) => {
      const failure = { expected: "a", found: `b${"b".repeat(index)}`, exchange: 0 };
      return outcome({ check: `check ${index}`, verdict: "fail", failure });
    });
    const failures = [{ expected: "an id", found: "none", exchange: sampleExchange }];
    const wire = outcome({ responseChecks: [{ ids: ["ERR-1"], title: "of each", responses: 1, failures }] });
    const shown = stripVTControlCharacters(consoleText(resultOf([wire, ...checks], [])));
    expect(shown).toContain("in full with --html report.html or --grep and an id:\n- IDEM-1 check 5\n");
    expect(shown).toContain("\n- ERR-1 of each\n");
  });

  test("says that the server's clock is off if a failure is about times, and that only replays fail", () => {
    const { response } = sampleExchange;
    const headers = { date: "Fri, 02 Jan 2026 09:04:05 GMT", "idempotent-replayed": "true" };
    const exchange = { ...sampleExchange, response: { ...response, headers } };
    const failed = (expected: string) => {
      const failure = { expected, found: "none", exchange: 0 };
      const titles = ["one", "other"];
      const outcomes = titles.map((title) =>
        outcome({ title, verdict: "fail", failure, exchanges: [exchange] }),
      );
      return stripVTControlCharacters(consoleText(resultOf(outcomes, []))).replaceAll(/\s+/g, " ");
    };
    for (const expected of ["sent_at null", "status sent before deadlines.dispatch is over"])
      expect(failed(expected)).toContain(
        "clock the server's Date is Fri, 02 Jan 2026 09:04:05 GMT, the suite's Fri, 02 Jan 2026 03:04:05 GMT",
      );
    expect(failed("status 202")).not.toContain("clock");
    expect(failed("status 202")).toContain("It fails in 1 more case; all those in this report are replays.");
    expect(text).not.toContain("replays");
  });

  test("fits into 80 columns except for commands, and escapes control characters of a server", async () => {
    for (const shown of [text, stripVTControlCharacters(consoleText(await repeatedKeysResult()))]) {
      const lines = shown.split("\n").filter((line) => !/^ {2}(curl| {2}-)/.test(line));
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
    }
    for (const letter of ["\u001B[31m ", "\u202E", "\0"]) {
      expect(hostile).toContain(letter);
      expect(text).not.toContain(letter);
    }
    expect(text).toContain("\\u{1b}[31m \\u{202e} \\u{0}");
  });
});

/** A result in which requirements lack settings, by id; several lists are several test cases. */
const lacking = (needs: Record<string, string[]>): ContractResult =>
  resultOf(
    Object.entries(needs).flatMap(([id, lists]) =>
      lists.map((list) =>
        outcome({
          ids: [id],
          check: `check of ${id}`,
          title: list,
          verdict: list === "" ? "pass" : "not verified",
          ...(list !== "" && {
            reason: list,
            ...(!list.includes(" ") && { needs: list.split(",") }),
          }),
        }),
      ),
    ),
    [],
  );

const counted = (needs: Record<string, string[]>): Record<string, number> =>
  Object.fromEntries(
    missingSettings(lacking(needs)).map(({ settings, ids }) => [settings.join("+"), ids.length]),
  );

describe("the missing settings", () => {
  test("that only help together are one entry, and others count what they add", () => {
    expect(
      counted({
        "SEND-1": ["simulatorDomain,domains.verified"],
        "SEND-2": ["simulatorDomain,domains.verified"],
        "SEND-3": ["domains.verified,simulatorDomain"],
        "ATT-2": ["simulatorDomain,domains.verified,attachmentLink"],
      }),
    ).toEqual({ "domains.verified+simulatorDomain": 3, attachmentLink: 1 });
  });

  test("that a server may be unable to have can be left out", () => {
    const result = lacking({ "SEND-11": ["mailbox"], "SEND-1": ["domains.verified"] });
    const text = stripVTControlCharacters(consoleText(result)).replaceAll(/\s+/g, " ");
    expect(text).toContain("- Set `mailbox`: 1 more requirement, or leave them out: `--without mailbox` Req");
    expect(text).toContain("- Set `domains.verified`: 1 more requirement ");
    expect(markdownReport(result)).toContain(
      "- Set `mailbox`: 1 more requirement, or leave them out: `--without mailbox`",
    );
  });

  test("of a requirement are those of all its test cases", () => {
    expect(counted({ "AUTH-4": ["keys.second", "lists.plain", ""] })).toEqual({
      "keys.second+lists.plain": 1,
    });
  });

  test("do not count a requirement that something else keeps from being verified", () => {
    expect(counted({ "CONT-10": ["keys.second", "The account has 3 custom fields."] })).toEqual({});
  });

  test("are lines in the reports, and the JSON report has each requirement", () => {
    const result = lacking({ "SEND-1": ["domains.verified,template"], "SEND-2": ["template"] });
    const line = "- Set `template`: 1 more requirement\n- Set `domains.verified`: 1 more requirement\n";
    expect(stripVTControlCharacters(consoleText(result))).toContain(`Not verified:\n${line}`);
    expect(markdownReport(result)).toContain(`\n\n${line}`);
    expect(htmlReport(result)).toContain("<code>template</code>: 1 more requirement");
    const { requirements } = JSON.parse(jsonText(result)) as ContractResult;
    expect(requirements.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["SEND-1", "not verified"],
      ["SEND-2", "not verified"],
    ]);
  });
});

/** The result of some checks for an intercepted server. */
async function found(intercept: Interceptor, grep: RegExp): Promise<ContractResult> {
  const plans = [planOf(demoSettings("core"), grep)];
  return resultOf(await runOnSandbox({ intercept: () => intercept, plans }), []);
}

const error = (type: string) => ({ error: { type, message: "No.", request_id: "req_1" } });
const missing =
  (status: number, type: string, isGone: (method: string, path: string) => boolean): Interceptor =>
  (request, next) =>
    isGone(request.method, request.path) ? { status, headers: {}, body: error(type) } : next(request);

const textOf = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));
const line = (result: ContractResult): string =>
  textOf(result).replaceAll(/\n +/g, " ").replaceAll("\n", " ");

/** The first failure of each finding but those of missing operations. */
const firstsOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ missing, first }) => (missing ? [] : [first]));

describe("a server without an operation", () => {
  const isAdding = (method: string, path: string): boolean =>
    method === "POST" && path === "/api/v1/newsletter/contacts";
  const gone = missing(404, "not_found", isAdding);
  const withFault: Interceptor = async (request, next) => {
    const response = await gone(request, next);
    const isLists = request.path.endsWith("/lists") && response.status === 200;
    return isLists ? { ...response, body: { lists: "none" } } : response;
  };

  test("is reported once, at the top, with the requirements that fail because of it", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const findings = diagnose(result);
    const missing = findings.filter((one) => one.missing);
    expect(missing).toHaveLength(1);
    expect(missing[0]?.ids.length).toBeGreaterThan(10);
    const says = `POST /api/v1/newsletter/contacts always responds with 404 not_found: ${missing[0]?.ids.length} requirements fail because of it; see notImplemented`;
    expect(line(result).startsWith(`Common causes: - ${says}`)).toBe(true);
    expect(htmlReport(result)).toContain(says);
    expect(markdownReport(result).replaceAll("\\_", "_")).toContain(says);
    expect(firstsOf(findings).flatMap(({ ids }) => ids)).toContain("LIST-1");
    expect(missing[0]?.cases.length).toBeGreaterThan(10);
    expect(
      textOf(result)
        .split("\n")
        .filter((one) => one.length > 80 && !/^ {2}(curl| {2}-)/.test(one)),
    ).toEqual([]);
  });

  test("leaves its failures to the common causes, so that those with other causes are seen", async () => {
    const result = await found(withFault, /CONT-|LIST-|MEMB-/);
    const findings = diagnose(result);
    const others = firstsOf(findings);
    const fell = findings.find(({ missing }) => missing)?.first.check ?? "";
    const own = others[0]?.check ?? "";
    expect(textOf(result)).toContain(own);
    expect(textOf(result)).not.toContain(fell);
    const markdown = markdownReport(result);
    expect(markdown).toContain(own);
    expect(markdown).not.toContain(fell);
    const [, first] =
      /<article class="requirement fail decided" id="([A-Z]+-\d+)"/.exec(htmlReport(result)) ?? [];
    expect(others.flatMap(({ ids }) => ids)).toContain(first);
  });

  test("has no operation that sometimes responds", async () => {
    let requests = 0;
    const sometimes: Interceptor = (request, next) => {
      requests += Number(isAdding(request.method, request.path));
      return requests > 1 ? gone(request, next) : next(request);
    };
    const findings = diagnose(await found(sometimes, /CONT-/));
    expect(findings.filter(({ missing }) => missing)).toEqual([]);
    expect(findings.length).toBeGreaterThan(0);
  });

  test("is not one that correctly responds with 404", async () => {
    expect(diagnose(await found((request, next) => next(request), /404|not_found/))).toEqual([]);
  });
});
