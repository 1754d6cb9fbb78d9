import { parseArgs } from "node:util";
import { plainTable } from "../../../lib/table.ts";
import { variants } from "../variants.ts";
import { falsePositivesOn, planFor } from "./false-positives.ts";

const usage = `Usage: npm run contract:variants -- [options]

Runs the whole contract suite on correct servers that differ in unspecified
behaviour, and reports every false positive.

  --runs <number>  runs per server (default: 1)
  --help           show this help`;

/** Runs the whole suite on conforming variants. */
async function runVariants(): Promise<boolean> {
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
  const messages: string[] = [];
  for (const variant of variants) {
    let cases = 0;
    let falsePositives = 0;
    for (let run = 0; run < runs; run += 1) {
      const found = await falsePositivesOn(variant, plan);
      cases += found.cases;
      falsePositives += found.falsePositives.length;
      messages.push(...found.falsePositives.map((message) => `${variant.title}: ${message}`));
    }
    rows.push([variant.title, String(cases), falsePositives === 0 ? "-" : String(falsePositives)]);
  }
  const widths = [60, 9, 9];
  const table = { head: ["Correct server that", "Cases", "False +"], widths, rows };
  console.log(plainTable({ ...table, align: ["left", "right", "right"] }));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `\n${[...messages, `${variants.length} servers, ${messages.length} false positives in ${runs} runs, ${seconds} s`].join("\n")}`,
  );
  return messages.length === 0;
}

process.exitCode = (await runVariants()) ? 0 : 1;
