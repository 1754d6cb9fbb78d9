import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { profiles } from "../../contract/engine/settings.ts";
import recorded from "../../contract/recorded.json" with { type: "json" };
import { root } from "../../scripts/common/paths.ts";
import { exitCodeOf } from "../exit-code.ts";
import { allMutants } from "../mutants/all-mutants.ts";
import { neededOperations, shownByTraffic, totalsOf, verifiedBySequences } from "./measure.ts";
import { cases } from "./model/kills.ts";
import { type Candidate, candidatesOf, countKilled, select } from "./model/select.ts";

const usage = `Usage: npm run renew -- [options]

Measures everything in contract/recorded.json again, and writes it: the totals
of a run of each profile, the random sequences of the profiles other than model,
and the requirements that sequences and observed traffic verify. Then generates
the trace, which names them.

  --keep-sequences  do not select the sequences again (saves many minutes)
  --help            show this help`;

/** Of the first seeds of each case. */
const seeds = 400;
/** For all cases, so that the profile `full` has at most 3,500. */
const mostRequests = 1800;

/** Selects sequences by the mutants that they kill. Also selects by one half of the mutants, and prints how many of the other half these kill. */
async function selectSequences(): Promise<void> {
  const mutants = await allMutants();
  const candidates = await candidatesOf(mutants, seeds);
  const selected = select(candidates, mutants, mostRequests);
  for (const of of cases) recorded.sequences[of.kind].selected = listOf(selected, of);
  console.log(`${countKilled(selected, mutants)} of ${mutants.length} mutants killed`);
  for (const parity of [0, 1]) {
    const half = mutants.filter((_, index) => index % 2 === parity);
    const others = mutants.filter((mutant) => !half.includes(mutant));
    const ofHalf = select(candidates, half, mostRequests);
    console.log(
      `by ${half.length} of the mutants: ${countKilled(ofHalf, half)} of them, ${countKilled(ofHalf, others)} of the others`,
    );
  }
}

const listOf = (selected: ReadonlyMap<Candidate, number>, of: Candidate["of"]): string =>
  [...selected]
    .filter(([candidate]) => candidate.of === of)
    .map(([{ seed }, length]) => `${seed}:${length}`)
    .join(" ");

process.exitCode = await exitCodeOf(async () => {
  const flag = { type: "boolean" } as const;
  const { values } = parseArgs({ options: { "keep-sequences": flag, help: flag } });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  // First, because the totals depend on them.
  if (values["keep-sequences"] !== true) await selectSequences();
  for (const profile of profiles) recorded.profiles[profile] = await totalsOf(profile);
  for (const profile of ["core", "full"] as const)
    recorded.operations[profile] = (await neededOperations(profile)) as never;
  const verified = await verifiedBySequences();
  for (const { kind } of cases) recorded.sequences[kind].verifies = verified[kind];
  recorded.traffic = await shownByTraffic();
  writeFileSync(join(root, "contract/recorded.json"), `${JSON.stringify(recorded, null, 2)}\n`);
  // The trace has the requirements that sequences verify. A process of its own reads what was written.
  const { status } = spawnSync(process.execPath, ["scripts/cli.ts", "generate"], {
    cwd: root,
    stdio: "inherit",
  });
  return status === 0;
});
