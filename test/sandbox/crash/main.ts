// `npm run crash:sandbox`: kills the sandbox 100 times while it works; with `--store postgres`, two instances and 20 times their database. Ends with 1 when anything it had accepted is missing or came twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UserError } from "../../../lib/user-error.ts";
import { wholeNumber } from "../../../scripts/common/program.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { KilledDatabase } from "./database.ts";
import { crash, isFaulty } from "./rounds.ts";
import { crashShared } from "./shared-rounds.ts";

const usage = `Usage: npm run crash:sandbox -- [options]

  --store <name>            sqlite (default), or postgres: two instances
  --rounds <number>         kills of an instance (default: 100)
  --database-kills <number> kills of the database, with postgres (default: 20)
  --seed <number>           of the random requests
  --help                    show this help`;

interface Numbers {
  rounds: number;
  databaseKills: number;
  seed: number;
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      store: { type: "string", default: "sqlite" },
      rounds: { type: "string", default: "100" },
      "database-kills": { type: "string", default: "20" },
      seed: { type: "string", default: String(Date.now() % 1e9) },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  const number = (name: "rounds" | "database-kills" | "seed"): number =>
    wholeNumber(`--${name}`, 0)(values[name]);
  const numbers = {
    rounds: number("rounds"),
    databaseKills: number("database-kills"),
    seed: number("seed"),
  };
  if (values.store === "sqlite") return killOne(numbers);
  if (values.store === "postgres") return killInstances(numbers);
  throw new UserError(`--store must be sqlite or postgres (got "${values.store}")`);
}

process.exitCode = await exitCodeOf(main);

async function killOne({ rounds, seed }: Numbers): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-crash-"));
  console.log(`${rounds} rounds of kill -9 under load; seed ${seed}`);
  const result = await crash({
    ...{ folder, rounds, seed },
    onRound: (round, { responded }) => {
      if (round % 10 === 0) console.log(`  ${round} rounds, ${responded} responses`);
    },
  });
  print(result, folder);
  if (isFaulty(result.faults)) return false;
  rmSync(folder, { recursive: true });
  return true;
}

async function killInstances({ rounds, databaseKills, seed }: Numbers): Promise<boolean> {
  const database = new KilledDatabase();
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
  if (isFaulty(result.faults)) return false;
  database.remove();
  return true;
}

function print({ faults, ...figures }: { faults: object }, folder: string): void {
  for (const [name, count] of Object.entries(figures)) console.log(`${name.padEnd(20)} ${count}`);
  for (const [name, found] of Object.entries(faults)) console.log(`${name.padEnd(20)} ${found.length}`);
  if (!isFaulty(faults)) return;
  console.error(JSON.stringify(faults, undefined, 2).slice(0, 4_000));
  console.error(`hint: what was kept is still in ${folder}`);
}
