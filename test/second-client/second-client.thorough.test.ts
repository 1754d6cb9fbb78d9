import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { processDriver } from "../../contract/client-suite/driver/process.ts";
import { clientCases, runClient } from "../../contract/client-suite/run-client.ts";
import { startSandboxService } from "../../scripts/client-suite/run-command.ts";
import { root } from "../../scripts/common/paths.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";

it("a client that is independent of the project's own client passes the profile full", async ({ skip }) => {
  const missing = missingPython();
  skip(missing !== undefined, missing);
  expect(await runSecondClient()).toEqual([]);
}, 120_000);

/** Why the second client cannot run on this machine; undefined if it can. */
const missingPython = (): string | undefined =>
  spawnSync("python3", ["--version"]).status === 0 ? undefined : "python3 is not installed";

/** Runs the client suite on the second client: everything except passes, and operations that it does not have. */
async function runSecondClient(): Promise<string[]> {
  const driver = join(root, "test/second-client/driver.py");
  const { outcomes } = await runClient({
    cases: clientCases("full"),
    startDriver: processDriver(`python3 "${driver}"`),
    startService: startSandboxService,
  });
  return falsePositives(outcomes.filter(({ needs }) => needs === undefined));
}

describe("a client that is independent of the project's own client", () => {
  const missing = missingPython();
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  it("imports Python's standard library alone", () => {
    const text = readFileSync(join(root, "test/second-client/email_api.py"), "utf8");
    const imported = Array.from(text.matchAll(/^(?:import|from) (\w+)/gm), ([, name]) => name);
    const known = execFileSync("python3", ["-c", "import sys; print(*sys.stdlib_module_names)"], {
      encoding: "utf8",
    });
    expect(imported.length).toBeGreaterThan(5);
    expect(imported.filter((name) => !known.split(/\s/).includes(name ?? ""))).toEqual([]);
  });
});
