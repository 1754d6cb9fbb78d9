import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readReport } from "../../../contract/report/json.ts";
import { runClientInit } from "../../../scripts/client-suite/command.ts";
import { startTarget } from "../../../scripts/contract/targets.ts";
import { runHere } from "../../scripts/run-here.ts";
import { folderWith } from "../config/folder.ts";

const newFile = (): string => join(folderWith(), "report.json");

describe("--publish", () => {
  test("needs the name of a server, before the run", async () => {
    const file = newFile();
    const { settings, close } = await startTarget("sandbox");
    process.env.CONTRACT_API_KEY = settings.keys.full;
    const ended = runHere("contract", "--base-url", settings.baseUrl, "--publish", file).finally(close);
    expect(await ended).toMatchObject({ status: 2, err: expect.stringContaining("implementation: { name") });
    delete process.env.CONTRACT_API_KEY;
    expect(existsSync(file)).toBe(false);
  });

  test("is not for a part of the checks", async () => {
    const words = ["contract", "--target", "sandbox", "--grep", "AUTH-6", "--publish", newFile()];
    expect(await runHere(...words)).toMatchObject({
      status: 2,
      err: expect.stringContaining("--publish cannot be combined with --grep"),
    });
  });

  test("needs the name of a client, which its driver writes", async () => {
    const [folder, file] = [folderWith(), newFile()];
    const output = join(folder, "driver.ts");
    await runClientInit("typescript", { output });
    await writeFile(output, (await readFile(output, "utf8")).replace(/^ *implementation: .*\n/m, ""));
    const words = ["client", "--driver", `"${process.execPath}" "${output}"`, "--publish", file];
    expect(await runHere(...words)).toMatchObject({
      status: 2,
      err: expect.stringContaining('"implementation": { "name"'),
    });
  });
});

test("a run of core on the sandbox is published with its level, and compared", {
  timeout: 60_000,
}, async () => {
  const file = newFile();
  const badge = `${file}.svg`;
  const words = ["--target", "sandbox", "--profile", "core", "--publish", file, "--level-badge", badge];
  const { status, out } = await runHere("contract", ...words);
  expect(status).toBe(0);
  expect(out).toMatch(/^Levels: Core passed; full not passed/m);
  expect(await readFile(badge, "utf8")).toContain("contract: Core (profile core");
  expect(readReport(file).implementation?.name).toBe("email-api-contract sandbox");
  const matrix = await runHere("matrix", file, "--html", `${file}.html`);
  expect(matrix.out).toMatch(/^email-api-contract sandbox \d+\.\d+\.\d+: Core$/m);
  expect((await runHere("compare", file, file)).status).toBe(0);
});
