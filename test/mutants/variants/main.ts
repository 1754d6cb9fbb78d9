import { parseArgs } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { variants } from "../variants.ts";
import { falsePositivesOn, planFor } from "./false-positives.ts";

const usage = `Usage: npm run contract:variants -- [options]

Holds correct servers that differ in what is left open against the whole suite.

  --runs <number>  so many times, one after another (default: 1)
  --help           say this`;

/**
 * Holds servers against the whole suite that are correct and differ from one another wherever the service leaves it open: the proof of
 * its fairness. `--runs` does it so many times, one after another.
 */
async function correct(): Promise<boolean> {
  const { values } = parseArgs({
    options: { runs: { type: "string", default: "1" }, help: { type: "boolean" } },
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const runs = Number(values.runs);
  const began = performance.now();
  const plan = planFor("full");
  const rows: string[][] = [];
  const told: string[] = [];
  for (const variant of variants) {
    let trials = 0;
    let alarms = 0;
    for (let run = 0; run < runs; run += 1) {
      const found = await falsePositivesOn(variant, plan);
      trials += found.trials;
      alarms += found.alarms.length;
      told.push(...found.alarms.map((alarm) => `${variant.title}: ${alarm}`));
    }
    rows.push([variant.title, String(trials), alarms === 0 ? "-" : String(alarms)]);
  }
  const widths = [60, 9, 9];
  const table = { head: ["A correct server that", "Trials", "Alarms"], widths, rows };
  console.log(plainTable({ ...table, align: ["left", "right", "right"] }));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `\n${[...told, `${variants.length} servers, ${told.length} alarms in ${runs} runs, ${seconds} s`].join("\n")}`,
  );
  return told.length === 0;
}

process.exitCode = (await correct()) ? 0 : 1;
