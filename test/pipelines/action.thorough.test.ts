import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { validateAction } from "@action-validator/core";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { recordedSandbox } from "../observe/proxied.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { action, actionText, runAction, step } from "./jobs.ts";

const folder = temporaryFolder(afterAll);
const run = (inputs: Record<string, string>) => runAction(folder, inputs);

/** The option for the driver of the template, whose client sends requests to this path. */
async function driverWith(path: string): Promise<string> {
  const template = await readFile(join(root, "scripts/client-suite/templates/driver.ts"), "utf8");
  const file = join(await mkdtemp(join(folder, "driver-")), "driver.ts");
  await writeFile(file, template.replace("/api/v1/me", path));
  return `--driver 'node ${file}'`;
}

describe("the GitHub action", () => {
  test("is valid", () => {
    expect(validateAction(actionText).errors).toEqual([]);
  });

  test("gives its step each input that the step reads", () => {
    const names = Object.values(step?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]);
    expect(names.sort()).toEqual(
      Object.keys(action.inputs)
        .filter((name) => name !== "artifact")
        .sort(),
    );
  });

  test("passes if every requirement passes, and leaves the reports and the summary", async () => {
    const { code, log, summary, outputs, reports } = await run({
      arguments: "--target sandbox --grep 'IDEM-2'",
    });
    expect({ code, outputs }).toEqual({ code: 0, outputs: "exit-code=0\n" });
    expect(log).toContain("::notice title=email-api-contract::");
    expect(summary).toMatch(/^## Contract: \d+ of \d+ requirements pass/);
    expect(reports).toEqual(["badge.svg", "report.html", "report.json", "report.md", "report.xml"]);
  });

  test("fails if a requirement fails, with an annotation", async () => {
    const outcome = await run({
      command: "client",
      arguments: `${await driverWith("/api/v1/me2")} --grep GEN-1`,
    });
    expect(outcome).toMatchObject({ code: 1, outputs: "exit-code=1\n" });
    expect(outcome.log).toMatch(/^::error title=GEN-1 .+::.*expected: /m);
    expect(outcome.summary).toMatch(/^## Client: .*fail/);
  });

  test("fails if the command does not start, with its error and hint, and without reports of an earlier run", async () => {
    const inputs = { command: "client", arguments: "--driver 'node -e 0'" };
    const earlier = ["annotations.txt", "badge.svg", "report.html", "report.json", "report.md", "report.xml"];
    const { code, log, summary, reports } = await runAction(folder, inputs, {}, earlier);
    expect(code).toBe(2);
    expect(
      log.match(/^::error title=email-api-contract::error: the driver does not start.*%0Ahint: /gm),
    ).toHaveLength(1);
    expect(summary).toMatch(/^error: the driver does not start[^\n]* hint: [^\n]+\n$/);
    expect(reports).toEqual([]);
  });

  test.for([
    ["--base-url http://127.0.0.1:1", "error: No response to GET /api/v1/me: ", "hint: "],
    [
      "--target sandbox --no-such",
      "error: unknown option '--no-such'",
      "hint: See \\`email-api-contract contract --help\\`.",
    ],
    ["--target sandbox --grep SEND-999", "error: --grep has SEND-999, which is not a requirement", "hint: "],
  ] as const)("has one annotation and a summary of one paragraph for %s", async ([words, error, hint]) => {
    const { code, log, summary, outputs } = await runAction(
      folder,
      { arguments: words },
      { CONTRACT_API_KEY: "a-key" },
    );
    expect({ code, outputs }).toEqual({ code: 2, outputs: "exit-code=2\n" });
    expect(log.match(/^::.*$/gm)).toHaveLength(1);
    expect(log).toContain(`::error title=email-api-contract::${error}`);
    expect(summary.trimEnd().split("\n")).toHaveLength(1);
    expect(summary).toContain(error);
    expect(summary).toContain(hint);
  });

  test.for([
    ["true", 0],
    ["false", 3],
  ] as const)(
    "with allow-not-verified %s, requirements that are not verified end it with %i",
    async ([isAllowed, code]) => {
      const inputs = { command: "client", arguments: `${await driverWith("/api/v1/me")} --grep GEN-1` };
      const outcome = await run({ ...inputs, "allow-not-verified": isAllowed });
      expect(outcome).toMatchObject({ code, outputs: "exit-code=3\n" });
    },
  );

  test.for(["--target sandbox --dry-run", "--help"])("fails if nothing is tested: %s", async (words) => {
    const { code, log, outputs } = await run({ arguments: words });
    expect({ code, outputs }).toEqual({ code: 2, outputs: "exit-code=2\n" });
    expect(log).toContain(`nothing was tested: the command wrote no report (contract ${words})`);
  });

  test("does not test the sandbox in place of a server that is not given", async () => {
    const { code, log } = await run({ arguments: "--grep IDEM-2" });
    expect(code).toBe(2);
    expect(log).toContain("error: no server is given, and CI is set");
  });

  test("compares documents, with a table in the summary", async () => {
    const { code, summary } = await run({ command: "diff", arguments: "1.0.0 1.0.0" });
    expect(code).toBe(0);
    expect(summary).toMatch(/^## No differences/);
  });

  test("observes recorded traffic, with its coverage in the summary", async () => {
    const file = await recordedSandbox(await mkdtemp(join(folder, "traffic-")));
    const given = { command: "observe", arguments: `--ndjson ${file} --coverage-threshold 50` };
    const { code, log, summary, outputs } = await run(given);
    expect({ code, outputs }).toEqual({ code: 1, outputs: "exit-code=1\n" });
    expect(log).toMatch(
      /^::error title=Coverage::Coverage [\d.]+ %25 \(\d+ of \d+\), threshold 50 %25%0AMissing: \w+, .+ and \d+ more$/m,
    );
    expect(summary).toContain("| Operations | 2 | 11 | 18.1 % |");
  });

  test("observes an HTTP archive, and shows a requirement that fails as an annotation", async () => {
    const archive = join(await mkdtemp(join(folder, "archive-")), "traffic.har");
    const headers = [{ name: "Content-Type", value: "application/json" }];
    const entry = {
      startedDateTime: "2026-11-24T12:00:00.500Z",
      time: 20,
      request: { method: "GET", url: "https://api.example.com/api/v1/me", headers, bodySize: 0 },
      // Without a key, and without a request id.
      response: { status: 200, headers, content: { text: "{}" } },
    };
    await writeFile(archive, JSON.stringify({ log: { version: "1.2", entries: [entry] } }));
    const { code, log, summary } = await run({ command: "observe", arguments: `--har ${archive}` });
    expect(code).toBe(1);
    expect(log).toMatch(/^::error title=HEAD-1 has a request id::.*expected: /m);
    expect(summary).toMatch(/^## .*fail/);
  });

  test.for([
    [{ command: "lint" }, 'command must be contract, client, observe or diff (got "lint")'],
    [{ "allow-not-verified": "no" }, 'allow-not-verified must be true or false (got "no")'],
    [{ arguments: "--grep 'IDEM" }, "the arguments have a quotation mark without its end: --grep 'IDEM"],
    [
      { command: "50%\n::set-output name=a::b\r" },
      'command must be contract, client, observe or diff (got "50%25%0A::set-output name=a::b%0D")',
    ],
  ] as const)("rejects %o", async ([inputs, message]) => {
    const { code, log } = await run(inputs);
    expect({ code, log: log.trim() }).toEqual({
      code: 2,
      log: `::error title=email-api-contract::${message}`,
    });
  });
});
