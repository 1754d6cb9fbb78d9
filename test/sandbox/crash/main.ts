// `npm run crash:sandbox`: kills the sandbox 100 times while it works. Ends with 1 when anything it had promised is missing or came twice.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crash, isFaulty } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const folder = mkdtempSync(join(tmpdir(), "sandbox-crash-"));
const [rounds, seed] = [Number(values.rounds), Number(values.seed)];
console.log(`${rounds} rounds of kill -9 under load; seed ${seed}`);
const { faults, ...figures } = await crash({
  folder,
  rounds,
  seed,
  onRound: (round, { responded }) => {
    if (round % 10 === 0) console.log(`  ${round} rounds, ${responded} responses`);
  },
});
for (const [name, count] of Object.entries(figures)) console.log(`${name.padEnd(20)} ${count}`);
for (const [name, found] of Object.entries(faults)) console.log(`${name.padEnd(20)} ${found.length}`);
if (isFaulty(faults)) {
  console.error(JSON.stringify(faults, undefined, 2).slice(0, 4_000));
  console.error(`hint: what was kept is still in ${folder}`);
  process.exitCode = 1;
} else {
  rmSync(folder, { recursive: true });
}
