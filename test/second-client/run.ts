import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { processDriver } from "../../contract/client-suite/driver/process.ts";
import { clientCases, runClient } from "../../contract/client-suite/run-client.ts";
import { startSandboxService } from "../../scripts/client-suite/run-command.ts";
import { root } from "../../scripts/common/paths.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";

/** Why the second client cannot run on this machine; undefined if it can. */
export const missingPython = (): string | undefined =>
  spawnSync("python3", ["--version"]).status === 0 ? undefined : "python3 is not installed";

/** Runs the client suite on the second client: everything except passes. */
export async function runSecondClient(): Promise<string[]> {
  const driver = join(root, "test/second-client/driver.py");
  const { outcomes } = await runClient({
    cases: clientCases("full"),
    startDriver: processDriver(`python3 "${driver}"`),
    startService: startSandboxService,
  });
  return falsePositives(outcomes);
}
