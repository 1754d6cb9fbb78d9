import { expect, test } from "vitest";
import { escapeHtml } from "../../lib/html.ts";
import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { count } from "../../lib/text.ts";

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
