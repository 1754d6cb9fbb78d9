// `npm run crash:sandbox`: kills the sandbox 50 times while it works, on SQLite and then as two instances on PostgreSQL. Ends with 1 when anything that it
// had accepted is missing or was sent twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../../postgres/server.ts";
import { crash, isFaulty } from "./crash.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "50" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];

async function run(name: string, data: string, instances: number): Promise<void> {
  console.log(`${name}: ${rounds} times kill -9 under load, with --seed ${seed}`);
  const onRound = (round: number, requests: number): void => {
    if (round % 10 === 0) console.log(`  ${round} times, ${requests} requests`);
  };
  const { faults, ...figures } = await crash({ data, instances, rounds, seed, onRound });
  console.log(`  ${JSON.stringify(figures)}`);
  if (!isFaulty(faults)) return;
  console.error(`  faults: ${JSON.stringify(faults, undefined, 2).slice(0, 4_000)}`);
  process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), "sandbox-crash-"));
await run("SQLite", folder, 1);
if (process.exitCode === 1) console.error(`  The data is in ${folder}.`);
else rmSync(folder, { recursive: true });
const server = await startPostgres();
await run("PostgreSQL, two instances", server.url, 2);
await server.close();
