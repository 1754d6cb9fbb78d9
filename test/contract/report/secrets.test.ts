import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "../../../contract/engine/secrets.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { compactTable, consoleText } from "../../../contract/report/console.ts";
import { harReport } from "../../../contract/report/har.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { jsonReport } from "../../../contract/report/json.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { repeatedKeys, repeatedKeysResult } from "./samples.ts";

const outputs = {
  badgeReport,
  consoleText,
  harReport,
  htmlReport,
  jsonReport,
  junitReport,
  markdownReport,
  compactTable,
};

describe("a server that sends keys back", () => {
  test("gets keys, and fails some requirements", async () => {
    const { checks, counts } = await repeatedKeysResult();
    const exchanges = checks.flatMap(({ cases }) => cases.flatMap((one) => one.exchanges));
    expect(
      exchanges.filter(({ response }) => response.headers["x-repeated"] === "Bearer ***").length,
    ).toBeGreaterThan(50);
    expect(counts.fail).toBeGreaterThan(0);
    expect(repeatedKeys().every((key) => key.length >= 8)).toBe(true);
  });

  test.for(Object.entries(outputs))("%s has no key in any form", async ([, make]) => {
    const text = withDecoded(make(await repeatedKeysResult())).toLowerCase();
    // Some checks send keys that are nearly one: in capitals, or without its last letter.
    const nearly = repeatedKeys().map((key) => key.slice(0, -1).toLowerCase());
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

describe("a key with special characters", () => {
  const key = `sk_"live"_<a&b>/ü+${"Q7".repeat(8)}`;
  const redact = redactor(["", key, "short"]);

  test.for([
    ["as it is", key],
    ["in JSON", JSON.stringify({ key })],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ key }))],
    ["in a URL", `?key=${encodeURIComponent(key)}`],
    [
      "in a URL with lower-case escapes",
      `?key=${encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())}`,
    ],
    [
      "in HTML",
      key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
    ],
    ["in capitals", key.toUpperCase()],
    ["cut", `Bearer ${key.slice(0, 25)}... (200 characters)`],
    ["at the end of what was cut", `Bearer ${key.slice(0, 25)}`],
  ] as const)("is redacted %s", ([, text]) => {
    const redacted = redact(text);
    expect(redacted).toContain("***");
    expect(redacted).not.toMatch(/Q7|live/i);
  });

  test("is redacted in base64 at any offset", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 }), (before, after) => {
        for (const encoding of ["base64", "base64url"] as const) {
          const redacted = redact(Buffer.from(before + key + after).toString(encoding));
          expect(withDecoded(redacted)).not.toContain("Q7Q7Q7");
        }
      }),
    );
  });

  test("a short key is redacted after Bearer only", () => {
    expect(redact("Bearer short, in short")).toBe("Bearer ***, in short");
  });
});
