import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { bundle } from "../../scripts/bundle/bundle.ts";
import { defects } from "./mutate/defects.ts";
import { type DefectOutcome, report, sourceOutcomes } from "./mutate/report.ts";

/** Tries a part of the defects in a thread. */
const part = (document: object, index: number, count: number): Promise<DefectOutcome[]> =>
  new Promise((resolve, reject) => {
    const outcomes: DefectOutcome[] = [];
    new Worker(new URL("mutate/worker.ts", import.meta.url), { workerData: { document, part: index, count } })
      .on("message", (outcome: DefectOutcome) => outcomes.push(outcome))
      .on("error", reject)
      .on("exit", () => resolve(outcomes));
  });

/**
 * Tries deliberate defects in copies of the document, one at a time. Each must be found by the lint rule that it is for,
 * or be a change since the latest release, every custom rule must find one, and the document itself must have no finding.
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
  const { text, passed } = report(outcomes);
  console.log(`${text}\n\n${((performance.now() - began) / 1000).toFixed(0)} s`);
  return passed;
}

process.exitCode = (await mutate()) ? 0 : 1;
