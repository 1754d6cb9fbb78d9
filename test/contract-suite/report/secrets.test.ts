import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "../../contract/engine/secrets.ts";
import { badgeReport } from "../../contract/report/badge.ts";
import { consoleText } from "../../contract/report/console.ts";
import { harReport } from "../../contract/report/har.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { jsonReport } from "../../contract/report/json.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { markdownReport } from "../../contract/report/markdown.ts";
import { compactTable } from "../../contract/report/table.ts";
import { toldKeys, toldResult } from "./samples.ts";

const outputs = {
  badgeReport,
  consoleText,
  harReport,
  htmlReport,
  jsonReport,
  junitReport,
  markdownReport,
  tableInShort: compactTable,
};

describe("a server that tells keys in its answers", () => {
  test("is tried with keys, and some promises break", async () => {
    const { checks: laws, counts } = await toldResult();
    const answers = laws.flatMap(({ cases: trials }) => trials.flatMap(({ exchanges }) => exchanges));
    expect(
      answers.filter(({ response: received }) => received.headers["x-told"] === "Bearer ***").length,
    ).toBeGreaterThan(50);
    expect(counts.fail).toBeGreaterThan(0);
    expect(toldKeys().every((key) => key.length >= 8)).toBe(true);
  });

  test.for(Object.entries(outputs))("%s has no key in any form", async ([, make]) => {
    const text = withDecoded(make(await toldResult())).toLowerCase();
    // Some checks send keys that are nearly one: in capitals, or without its last letter.
    const nearly = toldKeys().map((key) => key.slice(0, -1).toLowerCase());
    expect(nearly.filter((key) => text.includes(key) || text.includes(encodeURIComponent(key)))).toEqual([]);
  });
});

/** A text, and with it everything in it that may be base64, decoded from each of the letters that a byte may begin with. */
function withDecoded(text: string): string {
  const runs = new Set([...text.matchAll(/[\w+/-]{16,}/g)].map(([run]) => run));
  const decoded = [0, 1, 2, 3].flatMap((from) =>
    [...runs].map((run) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
  return [text, ...decoded].join("\n");
}

describe("a key with odd letters", () => {
  const key = `sk_"live"_<a&b>/ü+${"Q7".repeat(8)}`;
  const strike = redactor(["", key, "short"]);

  test.for([
    ["as it is", key],
    ["in JSON", JSON.stringify({ key })],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ key }))],
    ["in an address", `?key=${encodeURIComponent(key)}`],
    [
      "in an address with small letters",
      `?key=${encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    [
      "in HTML",
      key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ],
    ["in capitals", key.toUpperCase()],
    ["cut", `Bearer ${key.slice(0, 25)}... (200 characters)`],
    ["at the end of what was cut", `Bearer ${key.slice(0, 25)}`],
  ] as const)("is struck out %s", ([, text]) => {
    const struck = strike(text);
    expect(struck).toContain("***");
    expect(struck).not.toMatch(/Q7|live/i);
  });

  test("is struck out of base64, wherever it begins there", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        for (const encoding of ["base64", "base64url"] as const) {
          const struck = strike(Buffer.from(before + key + after).toString(encoding));
          expect(withDecoded(struck)).not.toContain("Q7Q7Q7");
        }
      }),
    );
  });

  test("a short one goes only where it is a key for sure", () => {
    expect(strike("Bearer short, in short")).toBe("Bearer ***, in short");
  });
});
