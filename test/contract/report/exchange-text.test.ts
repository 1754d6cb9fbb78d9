import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { consoleText } from "../../../contract/report/console.ts";
import { curlOf } from "../../../contract/report/exchange-text.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { maskedExchange } from "../../../contract/report/mask.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

const baseUrl = "https://api.example.com";

/** The arguments that a shell passes to curl, for each command. */
function argumentsOf(commands: string[]): string[][] {
  const script = [`curl() { printf '%s\\0' "$@"; printf '\\1\\0'; }`, ...commands].join("\n");
  const env = {
    PATH: process.env.PATH,
    CONTRACT_API_KEY: "the key's $x",
    CONTRACT_KEY_SEND_ONLY: "other",
  };
  const output = execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" });
  return output
    .split("\u0001\0")
    .slice(0, -1)
    .map((run) => run.split("\0").slice(0, -1));
}

describe("a curl command", () => {
  test("names the key by the variable of its role", () => {
    expect(curlOf(sampleExchange, { baseUrl })).toBe(
      `curl -i -X POST https://api.example.com/api/v1/emails \\
  -H "authorization: Bearer $CONTRACT_KEY_SEND_ONLY" \\
  -H 'content-type: application/json' \\
  --data-raw '{"subject":"It'\\''s"}'`,
    );
    const keyVariables = { sendOnly: "STAGING_SEND", full: "not a name" };
    expect(curlOf(sampleExchange, { baseUrl, keyVariables })).toContain(`Bearer $STAGING_SEND"`);
    expect(curlOf({ ...sampleExchange, key: "full" }, { baseUrl, keyVariables })).toContain(
      `Bearer $CONTRACT_API_KEY"`,
    );
  });

  test("keeps a made-up key redacted", () => {
    const { key: _, ...madeUp } = sampleExchange;
    expect(curlOf(madeUp, { baseUrl })).toContain("-H 'authorization: Bearer ***'");
  });

  test("reads a body that was cut from a file", () => {
    const body = `{"text":"${"x".repeat(99)}... (20000 characters in all)`;
    const command = curlOf({ ...sampleExchange, request: { ...sampleExchange.request, body } }, { baseUrl });
    expect(command).toContain("--data-binary @body.json");
  });

  test("is beside a body that was cut, with the size of the whole in every report", () => {
    const body = `${"x".repeat(16_384)}... (2000000 characters in all)`;
    const exchange = { ...sampleExchange, response: { ...sampleExchange.response, body } };
    const failure = { expected: "a", found: "b", exchange: 0 };
    const page = htmlReport(resultOf([outcome({ verdict: "fail", failure, exchanges: [exchange] })], []));
    expect(page.match(/[0-9]+ characters in all/g)).toEqual(["2000000 characters in all"]);
    expect(maskedExchange(exchange).response.body).toBe("*** (2000000 characters)");
  });

  test("sends exactly the recorded request", () => {
    const plain = [..."aZ0 '\"\\$`!*?~#&|;<>()[]{}=%@-:,./^_+"];
    const odd = ["\n", "\r", "\t", "\u001B", "\u007F", "\u202E", "ü", "😀"];
    const letters = fc.string({ unit: fc.constantFrom(...plain, ...odd) });
    const line = fc.string({ unit: fc.constantFrom(...plain) });
    const given = fc.array(
      fc.record({
        body: letters,
        path: line,
        header: line,
        prefix: fc.constantFrom("Bearer ", "bearer  '$x` "),
      }),
      {
        minLength: 40,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(given, (calls) => {
        const commands = calls.map(({ body, path, header, prefix }) => {
          const headers = { authorization: `${prefix}***`, "content-type": "a/b", "x-h": header };
          return curlOf(
            { ...sampleExchange, key: "full", path: `/${path}`, request: { headers, body } },
            { baseUrl },
          );
        });
        expect(
          argumentsOf(commands).map((run) =>
            run.filter((part) => !["--globoff", "--path-as-is"].includes(part)),
          ),
        ).toEqual(
          calls.map(({ body, path, header, prefix }) => [
            "-i",
            "-X",
            "POST",
            `${baseUrl}/${path}`,
            "-H",
            `authorization: ${prefix}the key's $x`,
            "-H",
            "content-type: a/b",
            "-H",
            header === "" ? "x-h;" : `x-h: ${header}`,
            "--data-raw",
            body,
          ]),
        );
      }),
      { numRuns: 2 },
    );
  });
});

const response = { status: 429, headers: {}, body: '{"error":{"type":"rate_limited"}}' };
const failed = outcome({
  verdict: "fail",
  failure: { expected: "status 202", found: "status 429", exchange: 0 },
  exchanges: [{ ...sampleExchange, response }],
});
const result = (docs?: string): ContractResult => resultOf([failed], [], docs === undefined ? {} : { docs });
const reports = { consoleText, htmlReport, markdownReport };

test.for(Object.entries(reports))("%s links an error to its row of the reference", ([, report]) => {
  expect(report(result("https://docs.test/mail/"))).toContain(
    "https://docs.test/mail/errors/#429-rate_limited",
  );
});

test.for(Object.entries(reports))("%s has no link without a reference", ([, report]) => {
  expect(report(result())).not.toContain("errors/#");
});

test("the page links a failure to its requirement and its error in the reference", () => {
  const page = htmlReport(result("https://docs.test/mail/"));
  expect(page).toContain(`<a class="docs" href="https://docs.test/mail/requirements/#IDEM-1">Reference</a>`);
  expect(page).toContain(
    `<a href="https://docs.test/mail/errors/#429-rate_limited">What this error means</a>`,
  );
  expect(htmlReport(result())).not.toMatch(/class="docs"|What this error means/);
});
