import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { compactTable, consoleText } from "../../../contract/report/console.ts";
import { hostile, oneOfEach, outcome, repeatedKeysResult, resultOf } from "./samples.ts";

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
    expect(text).toContain("Expected failures:\n  SEND-1");
    expect(text).toMatch(/Stale expected failures, which pass.*\n {2}IDEM-1/);
    expect(text).toContain("- field </pre><script>");
  });

  test("says of each addition of the server that it is allowed, once", () => {
    const parts = ["header x-a (getMe 2XX)", "header x-b (a 1)", "header x-b (b 1)", "header x-b (c 1)"];
    const information = [...parts, "header x-b (d 1)"];
    expect(stripVTControlCharacters(consoleText(resultOf([outcome({ information })], [])))).toContain(
      "Additions of the server to the document:\n- header x-a: allowed (getMe 2XX)\n- header x-b: allowed (a 1, b 1, c 1 and 1 more)\n",
    );
  });

  test("names the verdict of each requirement of up to ten checks", () => {
    const verdicts = (ids: readonly string[]): string =>
      stripVTControlCharacters(
        consoleText(
          resultOf(
            ids.map((id) => outcome({ ids: [id], check: id })),
            [],
          ),
        ),
      );
    expect(verdicts(["BATCH-7"])).toMatch(
      /^Requirements of these checks.*:\n- BATCH-7 pass: A batch is accepted/m,
    );
    const ids = Array.from({ length: 11 }, (_, index) => `SEND-${index + 1}`);
    expect(verdicts(ids.slice(1)).match(/^- SEND-\d+ pass: /gm)).toHaveLength(10);
    expect(verdicts(ids)).not.toContain("Requirements of these checks");
  });

  test("ends with the meaning of the exit code", () => {
    expect(text).toMatch(/Exit code 1: 3 requirements fail\.$/);
    const ending = (outcomes: Parameters<typeof resultOf>[0], expected: string[] = []): string =>
      stripVTControlCharacters(consoleText(resultOf(outcomes, expected)))
        .split("\n")
        .at(-1) ?? "";
    expect(ending([outcome({})])).toMatch(/^Exit code 0: every tested requirement of the profile core/);
    expect(ending([outcome({ verdict: "not verified" })])).toMatch(/^Exit code 3: no requirement fails/);
    expect(ending([outcome({})], ["IDEM-1"])).toMatch(/^Exit code 1: 1 expected failure passes/);
  });

  test("shows five failed checks in full, and the titles of the others", () => {
    const found = { expected: "a", found: "b", exchange: 0 };
    const checks = Array.from({ length: 60 }, (_, index) =>
      outcome({ check: `check ${index}`, verdict: "fail", failure: found }),
    );
    const many = stripVTControlCharacters(consoleText(resultOf(checks, [])));
    expect(many.match(/^ {2}expected/gm)).toHaveLength(5);
    expect(many).toContain(
      "Other failures, in full with --html report.html or --grep and an id:\n- IDEM-1 check 5\n",
    );
    expect(many).toContain("- and 15 more");
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

describe("the compact table", () => {
  test("has every requirement with its mark, by topic", () => {
    const table = stripVTControlCharacters(compactTable(resultOf()));
    expect(table).toMatch(/^idempotency {5}IDEM ✓ 1 {2}✗ 2-3 {2}· 4-10$/m);
    expect(table).toMatch(/^sending {9}SEND ~ 1 {2}· 2-37$/m);
    expect(table).toMatch(/AUTH \? 15 {2}· 1-14, 16-21$/m);
    expect(table).toMatch(/LIST ! 1 {2}· 2-11$/m);
    expect(table.split("\n").at(-1)).toBe(
      "✓ pass   ✗ fail   ~ expected failure   ? not verified   ! error   · outside the run",
    );
  });

  test("fits into 80 columns", async () => {
    const lines = stripVTControlCharacters(compactTable(await repeatedKeysResult())).split("\n");
    expect(lines.filter((line) => line.length > 82)).toEqual([]);
  });
});
