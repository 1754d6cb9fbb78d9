// `npm run crash:sandbox`: kills the sandbox 100 times while it works; with `--store postgres`, two instances and 20 times their database. Ends with 1 when anything it had accepted is missing or came twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { KilledDatabase } from "./database.ts";
import { crash, isFaulty } from "./rounds.ts";
import { crashShared } from "./shared-rounds.ts";

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "sqlite" },
    rounds: { type: "string", default: "100" },
    "database-kills": { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
await (values.store === "postgres" ? killInstances() : killOne());

async function killOne(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-crash-"));
  console.log(`${rounds} rounds of kill -9 under load; seed ${seed}`);
  const result = await crash({
    ...{ folder, rounds, seed },
    onRound: (round, { responded }) => {
      if (round % 10 === 0) console.log(`  ${round} rounds, ${responded} responses`);
    },
  });
  print(result, folder);
  if (!isFaulty(result.faults)) rmSync(folder, { recursive: true });
}

async function killInstances(): Promise<void> {
  const database = new KilledDatabase();
  const databaseKills = Number(values["database-kills"]);
  console.log(
    `${rounds} times kill -9 of an instance and ${databaseKills} times of the database under load; seed ${seed}`,
  );
  const result = await crashShared({
    ...{ database, rounds, databaseKills, seed },
    onKill: (kills, works) => {
      if (kills % 10 === 0) console.log(`  ${kills} kills, ${works.length} requests`);
    },
  });
  print(result, database.folder);
  if (!isFaulty(result.faults)) database.remove();
}

function print({ faults, ...figures }: { faults: object }, folder: string): void {
  for (const [name, count] of Object.entries(figures)) console.log(`${name.padEnd(20)} ${count}`);
  for (const [name, found] of Object.entries(faults)) console.log(`${name.padEnd(20)} ${found.length}`);
  if (!isFaulty(faults)) return;
  console.error(JSON.stringify(faults, undefined, 2).slice(0, 4_000));
  console.error(`hint: what was kept is still in ${folder}`);
  process.exitCode = 1;
}
