import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { afterAll, describe, expect, test } from "vitest";
import { roles } from "../../../contract/engine/settings.ts";
import { annotationsReport } from "../../../contract/report/annotations.ts";
import { badgeReport, levelBadgeReport } from "../../../contract/report/badge.ts";
import { withBaseline } from "../../../contract/report/baseline.ts";
import schema from "../../../contract/report/contract-report.schema.json" with { type: "json" };
import { harReport } from "../../../contract/report/har.ts";
import { jsonText } from "../../../contract/report/json.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { publishedReport } from "../../../contract/report/publish.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { assertWritable, writeReports } from "../../../contract/report/write.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { hostile, oneOfEach, outcome, repeatedKeysResult, resultOf, sampleExchange } from "./samples.ts";

describe("the report in JSON", () => {
  /** The schema without additional properties, so that it must name every property. */
  const closed = JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === "object" && value.properties !== undefined && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  ) as object;
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(closed);

  const named: Partial<ContractResult> = {
    implementation: { name: "Postbox", version: "2", url: "https://postbox.example", contact: "a@b.example" },
    levels: [
      {
        ...{ id: "core", title: "Core", exceptions: [], failed: ["SEND-1"], notVerified: [] },
        state: "not passed",
      },
    ],
  };

  test.for([
    ["one of each verdict", () => resultOf()],
    ["a run", repeatedKeysResult],
    ["random sequences", () => resultOf([outcome({ ids: [] })])],
    ["a comparison", () => withBaseline(resultOf(), { file: "before.json", report: resultOf([]) })],
    ["a published report", () => publishedReport(resultOf(oneOfEach, [], named))],
    ["named variables", () => resultOf(oneOfEach, [], { keyVariables: { full: "KEY", sendOnly: "SEND" } })],
  ] as const)("is valid under its schema: %s", async ([, make]) => {
    validate(JSON.parse(jsonText(await make())));
    expect(validate.errors).toBeNull();
  });

  // The others are types.
  test("lists every role", () => {
    expect(schema.properties.keyVariables.propertyNames.enum).toEqual(roles);
  });

  test("is invalid with other properties or values", () => {
    expect(validate({ ...resultOf(), exitCode: 2 })).toBe(false);
    expect(validate({ ...resultOf(), more: 1 })).toBe(false);
  });
});

describe("the report for JUnit", () => {
  const parser = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => /^(testsuite|testcase|property)$/.test(name),
  });
  type Case = { "@_name": string; properties: { property: { "@_value": string }[] } } & Record<
    string,
    unknown
  >;
  type Suites = {
    testsuites: Record<string, string> & { testsuite: ({ testcase: Case[] } & Record<string, string>)[] };
  };
  const assertXml = (text: string): void => {
    expect(XMLValidator.validate(text)).toBe(true);
    // XML 1.0 cannot express these.
    const odd = [...text].filter(
      (letter) => (letter < " " && letter !== "\n") || /[\uD800-\uDFFF\uFFFE\uFFFF]/u.test(letter),
    );
    expect(odd).toEqual([]);
  };
  const read = (text: string): Suites => parser.parse(text) as Suites;

  test.for([
    ["one of each verdict", () => resultOf()],
    ["a run", repeatedKeysResult],
  ] as const)("is well-formed: %s", async ([, make]) => {
    assertXml(junitReport(await make()));
  });

  test("is well-formed with control characters in every name, as the badges are", () => {
    const odd = `1\u0000\u0007\u001B[31m\uFFFE\uFFFF\uD800"<&'>`;
    const implementation = { name: `Postbox ${odd}`, version: odd };
    const server = resultOf(oneOfEach, [{ id: "SEND-1", reason: odd }], { implementation });
    const ofClient = { name: odd, driver: odd, operations: [odd], retries: false };
    const client = { ...ofClient, idempotencyKeys: "explicit" as const, timeouts: false };
    for (const result of [server, { ...server, client }, { ...resultOf(), client, baseUrl: odd }])
      for (const report of [junitReport, badgeReport, levelBadgeReport]) assertXml(report(result));
    expect(badgeReport(server)).toContain("Postbox 1\\u{0}\\u{7}\\u{1b}[31m");
  });

  test("has a suite for each topic and a test case for each test case, with its requirements", () => {
    const { testsuites } = read(junitReport(resultOf()));
    const names = testsuites.testsuite.map((suite) => suite["@_name"]);
    expect(names).toEqual([
      "idempotency",
      "authentication",
      "lists",
      "sending",
      "headers",
      "expected failures",
    ]);
    expect(testsuites).toMatchObject({
      "@_tests": "8",
      "@_failures": "4",
      "@_errors": "1",
      "@_skipped": "2",
    });
    const [, broken] = testsuites.testsuite[0]?.testcase ?? [];
    expect(broken?.["@_name"]).toBe("IDEM-2 IDEM-3 a failing sample: one case");
    expect(broken?.properties.property.map((one) => one["@_value"])).toEqual(["IDEM-2", "IDEM-3"]);
    expect(broken).toHaveProperty("failure");
    expect(JSON.stringify(broken)).toContain("</pre><script>alert(1)</script>");
    expect(testsuites.testsuite[1]?.testcase[0]).toMatchObject({
      skipped: { "@_message": "Not configured: keys.sendOnly, lists.plain." },
    });
    expect(testsuites.testsuite[2]?.testcase[0]).toHaveProperty("error");
    expect(testsuites.testsuite[3]?.testcase[0]).toHaveProperty("skipped");
  });
});

describe("the report in Markdown", () => {
  const text = markdownReport(resultOf());

  test("has the counts, a table by topic, and the failures", () => {
    expect(text).toMatch(
      /^## Contract: 1 of 7 requirements pass, 3 fail, 1 expected failure, 1 not verified/,
    );
    expect(text).toMatch(/^\| idempotency \| 1 \| \*\*2\*\* \| - \| - \| - \|$/m);
    expect(text).toContain("<summary><strong>IDEM-2 IDEM-3</strong> a failing sample: one case</summary>");
    const failure = { expected: "a", found: "b", exchange: 0 };
    const tagged = outcome({ check: "A message has `tags`", verdict: "fail", failure });
    expect(markdownReport(resultOf([tagged], []))).toContain("A message has <code>tags</code></summary>");
    expect(text).toContain("- Set `keys.sendOnly` and `lists.plain`: 1 more requirement");
    expect(text.indexOf("### Failures")).toBeLessThan(text.indexOf("| idempotency |"));
  });

  test("escapes text of a server", () => {
    // Everything within a code block is text.
    const outside = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, "");
    expect(outside).not.toContain("<script");
    expect(outside).not.toContain("@someone");
    expect(outside).toContain("&lt;script&gt;");
    expect(outside).not.toMatch(/^\s*curl/m);
  });

  /** Failures that have nothing in common. */
  const failures = (number: number, body: string) =>
    Array.from({ length: number }, (_, index) => {
      const exchange = { ...sampleExchange, response: { ...sampleExchange.response, body } };
      const failure = { expected: "a", found: `${"é".repeat(index + 1)} ${body}`, exchange: 45, first: 0 };
      const exchanges = Array.from({ length: 46 }, (__, at) => ({
        ...exchange,
        path: `${exchange.path}/${at}`,
      }));
      return outcome({ check: `check ${index}`, verdict: "fail", failure, exchanges });
    });

  test("stays below the limit of GitHub, and has about 300 lines of any run, with what it omits", () => {
    for (const body of ["é".repeat(16_000), "a\n".repeat(1000)]) {
      const errors = Array.from({ length: 40 }, (_, index) =>
        outcome({ check: `error ${index}`, verdict: "error", reason: `${index}\n${"line\n".repeat(60)}` }),
      );
      const long = markdownReport(resultOf([...failures(100, body), ...errors], []));
      expect(Buffer.byteLength(long)).toBeLessThan(900_000);
      expect(long.split("\n").length).toBeLessThan(320);
      expect(long).toMatch(/^- IDEM-1 check \d+: expected a; found é+/m);
      expect(long).toMatch(/^- and \d\d more$/m);
    }
  });

  test("has each cause once, with how many cases it has", () => {
    const same = Array.from({ length: 30 }, (_, index) =>
      outcome({
        check: `check ${index}`,
        verdict: "fail",
        failure: { expected: "a", found: "b", cause: "The cause", exchange: 0 },
      }),
    );
    const once = markdownReport(resultOf(same, []));
    expect(once.match(/^<details><summary><strong>/gm)).toHaveLength(1);
    expect(once).toContain("Also fails: 29 more checks of IDEM-1.");
  });
});

describe("the badge", () => {
  test("shows how many requirements fail or else pass, in a self-contained image", () => {
    const badge = badgeReport(resultOf());
    expect(XMLValidator.validate(badge)).toBe(true);
    expect(badge).toContain("<title>contract: 3 of 7 fail (profile core)</title>");
    expect(badgeReport(resultOf([outcome({})], []))).toContain(
      "<title>contract: 1 of 1 pass (profile core)</title>",
    );
    expect(badge).toContain('role="img"');
    expect(badge.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/http|href|script/);
  });

  test("has a colour for each exit code", () => {
    const colour = (...given: Parameters<typeof resultOf>): string | undefined =>
      /x="\d+" width="\d+" height="20" fill="(#\w+)"/.exec(badgeReport(resultOf(...given)))?.[1];
    const colours = [
      colour([outcome({})], []),
      colour([outcome({ verdict: "not verified" })], []),
      colour([outcome({ verdict: "fail" })], []),
    ];
    expect(new Set(colours).size).toBe(3);
    expect(colours).not.toContain(undefined);
  });
});

describe("the annotations for GitHub", () => {
  test("are one line for each failing check, and one with the verdicts", () => {
    const lines = annotationsReport(resultOf()).trimEnd().split("\n");
    expect(lines.every((line) => /^::(error|notice) title=[^:,]+::/.test(line))).toBe(true);
    expect(
      lines.filter((line) => line.startsWith("::error title=IDEM-2 IDEM-3 a failing sample::")),
    ).toHaveLength(1);
    expect(lines.at(-1)).toContain("1 of 7 requirements pass, 3 fail");
  });

  test("and the report for JUnit name what is not implemented", () => {
    const result = resultOf(oneOfEach, [], { notImplemented: ["sendBatch", "getEmail"] });
    expect(annotationsReport(result)).toMatch(/^::notice .*, not implemented: sendBatch and getEmail$/m);
    expect(junitReport(result)).toContain('<property name="notImplemented" value="sendBatch getEmail"/>');
    expect(junitReport(resultOf())).not.toContain("notImplemented");
  });

  test("have no warning for what is not tested, as it is declared", () => {
    const needed = new Map(["AUTH-1", "SEND-9"].map((id) => [id, new Set(["getMe"])]));
    const given = { ...resultOf([outcome({})], []), notImplemented: ["getMe"] };
    const { notTested } = summarize({ information: given, outcomes: [], outside: needed });
    const text = annotationsReport({ ...given, notTested } as typeof given);
    expect(text).toMatch(
      /^::notice [^\n]*%0ANot tested, although the operation is there: Needs getMe \(notImplemented\) AUTH-1 SEND-9\n$/,
    );
  });

  test("say how many needs they leave out", () => {
    const missing = Array.from({ length: 60 }, (_, index) => `requirements: SEND-${index + 1}`);
    const needs = { file: "needs.json", met: 0, missing, notShown: [] };
    const text = annotationsReport({ ...resultOf([], []), needs });
    const [, last, more] = /SEND-(\d+) and (\d+) more$/m.exec(text) ?? [];
    expect(Number(last) + Number(more)).toBe(60);
    expect(text.split("\n")[0]?.length).toBeLessThan(400);
  });

  test("are as many as GitHub shows", () => {
    const many = Array.from({ length: 40 }, (_, index) => {
      const failure = { expected: "a", found: "b".repeat(index + 1), exchange: 0 };
      return outcome({ check: `check ${index}`, verdict: "fail", failure });
    });
    expect(annotationsReport(resultOf(many, [])).match(/^::error/gm)).toHaveLength(10);
  });
});

describe("the HTTP archive", () => {
  const read = (
    text: string,
  ): { log: { version: string; entries: Record<string, Record<string, unknown>>[] } } => JSON.parse(text);

  test("has each exchange once, in the order of time", async () => {
    const { log } = read(harReport(await repeatedKeysResult()));
    expect(log.version).toBe("1.2");
    expect(log.entries.length).toBeGreaterThan(100);
    const times = log.entries.map(({ startedDateTime }) => String(startedDateTime));
    expect(times).toEqual([...times].sort());
    expect(new Set(log.entries.map((entry) => JSON.stringify(entry))).size).toBe(log.entries.length);
  });

  test("has the request and the response", () => {
    const { log } = read(harReport(resultOf()));
    expect(log.entries).toHaveLength(1);
    expect(log.entries[0]).toMatchObject({
      startedDateTime: "2026-01-02T03:04:05.000Z",
      time: 12.3,
      request: {
        method: "POST",
        url: "https://api.example.com/api/v1/emails",
        postData: { mimeType: "application/json", text: `{"subject":"It's"}` },
      },
      response: { status: 200, content: { mimeType: "text/html" } },
      timings: { send: 0, wait: 12.3, receive: 0 },
      comment: "IDEM-1 a sample check",
    });
    expect(log.entries[0]?.response?.content).toHaveProperty("text", `<b>${hostile.toWellFormed()}</b>`);
  });
});

describe("writing reports", () => {
  const folder = temporaryFolder(afterAll);

  const all = (): Record<"json" | "junit" | "html" | "markdown" | "badge" | "har", string> => ({
    json: join(folder, "report.json"),
    junit: join(folder, "report.xml"),
    html: join(folder, "report.html"),
    markdown: join(folder, "report.md"),
    badge: join(folder, "report.svg"),
    har: join(folder, "report.har"),
  });

  test("the check before the run leaves no file behind, and keeps existing ones", async () => {
    await writeFile(all().json, "old");
    await assertWritable(all());
    expect(await readdir(folder)).toEqual(["report.json"]);
    expect(await readFile(all().json, "utf8")).toBe("old");
  });

  test("writes the reports that have a file, and no others", async () => {
    const { badge, ...others } = all();
    expect(await writeReports(resultOf(), others)).toEqual(Object.values(others));
    expect((await readdir(folder)).sort()).toEqual(
      ["report.har", "report.html", "report.json", "report.md", "report.xml"].sort(),
    );
    expect(await readFile(others.json, "utf8")).toBe(jsonText(resultOf()));
    expect((await readFile(others.junit, "utf8")).slice(0, 5)).toBe("<?xml");
    expect((await readFile(others.html, "utf8")).slice(0, 15)).toBe("<!doctype html>");
    expect((await readFile(others.markdown, "utf8")).slice(0, 12)).toBe("## Contract:");
    expect(await writeReports(resultOf(), { badge })).toEqual([badge]);
    expect((await readFile(badge, "utf8")).slice(0, 4)).toBe("<svg");
  });

  test("a report that cannot be written leaves the others unchanged", async () => {
    await writeFile(all().json, "old");
    const files = { ...all(), har: join(folder, "nowhere", "report.har") };
    await expect(writeReports(resultOf(), files)).rejects.toThrow("--har cannot be written");
    expect(await readFile(all().json, "utf8")).toBe("old");
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("follows a link, and keeps it", async () => {
    const link = join(folder, "link.json");
    await symlink(all().json, link);
    await writeReports(resultOf(), { json: link });
    expect(await readFile(all().json, "utf8")).toBe(jsonText(resultOf()));
    expect((await stat(link)).isFile()).toBe(true);
  });

  test.for([
    [
      "a missing directory",
      (): string => join(folder, "nowhere", "report.json"),
      "cannot be written",
      "in a writable directory that exists. The system says: ENOENT",
    ],
    ["a directory", (): string => folder, "is a directory", "report.html"],
    ["no name", (): string => "", "its name is empty", "report.html"],
  ] as const)("says what to do about %s", async ([, file, message, hint]) => {
    const error = await assertWritable({ json: file() }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
      exitCode: 2,
    });
  });

  test("two reports cannot share a file", async () => {
    const { json } = all();
    await expect(assertWritable({ json, html: json })).rejects.toMatchObject({
      message: `--json and --html name the same file: ${json}`,
      exitCode: 2,
    });
  });
});
