import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Run } from "../../contract/engine/run.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { reportsFolder, root } from "../../scripts/common/paths.ts";
import { exitCodeOf } from "../exit-code.ts";
import { startSecondServer } from "../second-server/second-server.ts";
import { secondServerSettings } from "../second-server/settings.ts";
import { renewReport } from "./renew.ts";
import { sandboxResult } from "./sandbox.ts";
import { secondServerResult } from "./second-server.ts";

const usage = `Usage: npm run reports -- [options] [name...]

Writes the published reports in reports/ again, with new dates: of the sandbox,
the second server and the clients of clients/. If the verdicts of a server have
changed, its thorough test fails; \`npm run clients\` writes those of clients.

Names: sandbox, second-server, clients (default: all)

  --help  show this help`;

async function secondServer(): Promise<ContractResult> {
  const { url, close } = await startSecondServer({ requestsPerMinute: 100_000 });
  const settings = secondServerSettings(url);
  const startedAt = new Date();
  const outcomes = await runPlan(new Run({ settings }), planOf(settings)).finally(close);
  return secondServerResult(settings, outcomes, startedAt);
}

const servers = new Map([
  ["sandbox", sandboxResult],
  ["second-server", secondServer],
]);

process.exitCode = await exitCodeOf(async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  let isRight = true;
  const isWanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
  for (const [name, run] of servers) {
    if (!isWanted(name)) continue;
    const result = await run();
    isRight = isRight && result.exitCode === 0;
    await renewReport(join(reportsFolder, `${name}.json`), result, true);
    console.log(`${name}: ${result.counts.pass} of ${result.requirements.length} requirements pass`);
  }
  if (!isWanted("clients")) return isRight;
  const clients = [join(root, "test/clients/main.ts"), "--all", "--renew-reports"];
  return spawnSync(process.execPath, clients, { cwd: root, stdio: "inherit" }).status === 0 && isRight;
});
