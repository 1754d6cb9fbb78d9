import { describe, expect, test } from "vitest";
import { escapeHtml } from "../../lib/html.ts";
import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { count, errorUrl, wrapped } from "../../lib/text.ts";

test("HTML is escaped for text and quoted attributes", () => {
  expect(escapeHtml(`<a href="x" title='y'>&</a>`)).toBe(
    "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt;",
  );
});

test.each([
  [0, "0 requests"],
  [1, "1 request"],
  [1200, "1,200 requests"],
])("%i requests are counted as %s", (number, text) => {
  expect(count(number, "request")).toBe(text);
});

test("an irregular plural is given", () => {
  expect(count(2, "entry", "entries")).toBe("2 entries");
});

test.each([
  ["plain", "plain"],
  ["two words", "'two words'"],
  ["it's", `'it'\\''s'`],
  ["line\nbreak", "$'line\\nbreak'"],
  ["\u202Eabc", "$'\\342\\200\\256abc'"],
])("%j is written as %s", (text, argument) => {
  expect(shellArgument(text)).toBe(argument);
});

test("a curl command has one option per line after the URL", () => {
  const headers = [shellArgument("Accept: application/json")];
  expect(curlCommand({ method: "POST", url: "http://127.0.0.1/a", headers, body: "-d '{}'" })).toBe(
    "curl -i -X POST http://127.0.0.1/a \\\n  -H 'Accept: application/json' \\\n  -d '{}'",
  );
});

const word = "x".repeat(100);

describe("text is broken", () => {
  test("between words, with later lines indented", () => {
    const text = "one ".repeat(40).trim();
    const [first = "", second = "", ...others] = wrapped(text, "  ").split("\n");
    expect([first.length, second.length, others.length]).toEqual([79, 77, 1]);
    expect(second).toMatch(/^ {2}one/);
    expect(wrapped(text, "  ").replaceAll(/\s+/g, " ")).toBe(text);
  });

  test("within a word longer than a line", () => {
    expect(wrapped(`a ${word} b`)).toBe(`a ${"x".repeat(78)}\n${"x".repeat(22)} b`);
  });

  test("between characters, not within one of two units", () => {
    const lines = wrapped(`a${"\u{1f382}".repeat(60)}`, "  ").split("\n");
    expect(lines.map((line) => line.isWellFormed())).toEqual([true, true]);
    expect(lines.map(({ length }) => length)).toEqual([79, 44]);
  });

  test("around such a word if words stay whole", () => {
    expect(wrapped(`a ${word} b`, "", { wholeWords: true })).toBe(`a\n${word}\nb`);
    expect(wrapped(`  ${word}`, "  ", { wholeWords: true })).toBe(`  ${word}`);
  });
});

test("a command in backticks stays on one line, a long text in backticks does not", () => {
  const text = `${"word ".repeat(14)}\`email-api-contract contract doctor\` and more`;
  expect(wrapped(text)).toBe(`${"word ".repeat(14).trim()}\n\`email-api-contract contract doctor\` and more`);
  const long = `\`${"word ".repeat(30)}\``;
  expect(wrapped(long).split("\n")[0]).toBe(`\`${"word ".repeat(15)}word`);
});

const rows = { "404.not_found": {}, "500": {} };

test.for([
  ["https://docs.test/", 404, "not_found", "https://docs.test/errors/#404-not_found"],
  ["https://docs.test/mail", 500, null, "https://docs.test/mail/errors/#500"],
  ["https://docs.test/", 500, "other", "https://docs.test/errors/#500"],
  ["https://docs.test/", 404, "other", undefined],
  ["https://docs.test/", 200, null, undefined],
] as const)("%s: the row of %i %s is %s", ([site, status, type, expected]) => {
  expect(errorUrl(site, rows, { status, type })).toBe(expected);
});
