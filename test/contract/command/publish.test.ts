import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { runClientInit } from "../../../scripts/client-suite/command.ts";
import { startTarget } from "../../../scripts/contract/targets.ts";
import { runHere } from "../../scripts/run-here.ts";
import { folderWith } from "../config/folder.ts";

const newFile = (): string => join(folderWith(), "report.json");

afterEach(() => vi.unstubAllEnvs());

describe("--publish", () => {
  test("needs the name of a server, before the run", async () => {
    const file = newFile();
    const { settings, close } = await startTarget("sandbox");
    vi.stubEnv("CONTRACT_API_KEY", settings.keys.full);
    const ended = runHere("contract", "--base-url", settings.baseUrl, "--publish", file).finally(close);
    expect(await ended).toMatchObject({ status: 2, err: expect.stringContaining("implementation: { name") });
    expect(existsSync(file)).toBe(false);
  });

  // Nothing is started: there is no server, and no driver.
  const server = ["contract", "--base-url", "http://127.0.0.1:1"];
  const client = ["client", "--driver", "false"];
  test.each([
    [[...server, "--grep", "AUTH-6", "--publish"], "'--publish <file>' cannot be used with option '--grep"],
    [
      [...server, "--grep", "AUTH-6", "--level-badge"],
      "'--level-badge <file>' cannot be used with option '--grep",
    ],
    [
      [...server, "--profile", "full", "--sequences", "1", "--publish"],
      "cannot be used with option '--sequences",
    ],
    [[...server, "--profile", "full", "--seed", "1", "--level-badge"], "cannot be used with option '--seed"],
    [[...client, "--grep", "GEN-9", "--publish"], "'--publish <file>' cannot be used with option '--grep"],
    [
      [...client, "--against", "false", "--level-badge"],
      "'--level-badge <file>' cannot be used with option '--against",
    ],
  ])("and --level-badge are for a whole run: %j", async (words, message) => {
    expect(await runHere(...words, newFile())).toMatchObject({
      status: 2,
      err: expect.stringContaining(message),
    });
  });

  test("needs a profile with levels for a badge, and a reason, an owner and a day of each exception", async () => {
    const list = join(
      folderWith({ "e.yaml": "- { id: SEND-1, reason: Later., owner: Team Mail }" }),
      "e.yaml",
    );
    const words = ["contract", "--target", "sandbox", "--expected-failures", list, "--publish", newFile()];
    expect(await runHere(...words)).toMatchObject({
      status: 2,
      err: expect.stringContaining("the expected failure SEND-1 lacks a reason, an owner or a last day"),
    });
    const badge = ["contract", "--target", "mock", "--level-badge", newFile()];
    expect(await runHere(...badge)).toMatchObject({
      status: 2,
      err: expect.stringContaining("no level requires the profile mock"),
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
