import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { bundle } from "../../scripts/bundle.ts";
import { defects } from "./mutate/defects.ts";
import { type DefectOutcome, report } from "./mutate/report.ts";
import { sourceOutcomes } from "./mutate/sources.ts";

/** Tries a part of the defects in a thread of its own. */
const part = (document: object, index: number, count: number): Promise<DefectOutcome[]> =>
  new Promise((resolve, reject) => {
    const outcomes: DefectOutcome[] = [];
    new Worker(new URL("mutate/worker.ts", import.meta.url), { workerData: { document, part: index, count } })
      .on("message", (outcome: DefectOutcome) => outcomes.push(outcome))
      .on("error", reject)
      .on("exit", () => resolve(outcomes));
  });

/**
 * Makes deliberate defects in copies of the document, one at a time, and looks who notices: the rules of the lint,
 * or the facts that the tests pin. Every defect must be noticed by the one it is meant for, every own rule must
 * notice one, and nobody may find anything in the document as it is.
 */
async function mutate(): Promise<boolean> {
  const began = performance.now();
  const document = await bundle();
  const count = Math.min(availableParallelism(), 4);
  console.log(
    `Trying ${defects.length} defects of the bundle in ${count} threads, then those of the sources.\n`,
  );
  const parts = Array.from({ length: count }, (_, index) => part(document, index, count));
  const outcomes = [...(await Promise.all(parts)).flat(), ...(await sourceOutcomes())];
  const { text, held } = report(outcomes);
  console.log(`${text}\n\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  return held;
}

process.exitCode = (await mutate()) ? 0 : 1;
