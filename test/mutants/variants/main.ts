import { parseArgs } from "node:util";
import type { ObservedExchange } from "../../../contract/observe/subjects.ts";
import { planOf } from "../../../contract/plan.ts";
import { plainTable } from "../../../lib/table.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { failuresOf, observed, shuffled, withAll, withConfiguration } from "../../observe/samples.ts";
import { demoSettings } from "../demo.ts";
import { variants } from "../variants.ts";
import { falsePositivesOn, planFor } from "./false-positives.ts";

const usage = `Usage: npm run contract:variants -- [options]

Runs the contract suite on correct servers that differ in unspecified
behaviour, and reports every false positive. "Different" is the number of
requests and mails that such a server treats in another way than the sandbox.
The traffic of every eighth server is observed, too: it must show no failure.

  --grep <pattern>  only servers whose title matches
  --runs <number>   runs per server (default: 1)
  --model           run the profile model alone; default: the profile full
  --help            show this help`;

/** Runs the whole suite on conforming variants. */
async function runVariants(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      grep: { type: "string", default: "" },
      runs: { type: "string", default: "1" },
      model: { type: "boolean", default: false },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const runs = Number(values.runs);
  const began = performance.now();
  const profile = values.model ? "model" : "full";
  const [plan, whole] = [planFor(profile), planOf(demoSettings(profile))];
  const rows: string[][] = [];
  const messages: string[] = [];
  const chosen = variants.filter(({ title }) => new RegExp(values.grep).test(title));
  for (const variant of chosen) {
    let cases = 0;
    let differences = 0;
    let falsePositives = 0;
    for (let run = 0; run < runs; run += 1) {
      const traffic: ObservedExchange[] = [];
      // To observe all of them takes longer than the runs.
      const onExchange = variants.indexOf(variant) % 8 === 4 ? traffic.push.bind(traffic) : undefined;
      const found = await falsePositivesOn(
        variant,
        variant.isWhole ? whole : plan,
        demoSettings(profile),
        onExchange,
      );
      const all = [...found.falsePositives, ...observedIn(traffic)];
      cases += found.cases;
      differences += found.differences;
      falsePositives += all.length;
      messages.push(...all.map((message) => `${variant.title}: ${message}`));
    }
    rows.push([
      variant.title,
      ...[cases, differences, falsePositives].map((number) => String(number || "-")),
    ]);
  }
  const widths = [52, 7, 10, 9];
  const table = { head: ["Correct server that", "Cases", "Different", "False +"], widths, rows };
  console.log(plainTable({ ...table, align: ["left", "right", "right", "right"] }));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `\n${[...messages, `${chosen.length} servers, ${messages.length} false positives in ${runs} runs, ${seconds} s`].join("\n")}`,
  );
  return messages.length === 0;
}

/** The failures that traffic shows to an observer with the configuration and all of it, in another order, and to one that knows nothing. */
const observedIn = (traffic: readonly ObservedExchange[]): string[] =>
  [observed(traffic, withAll), observed(shuffled(traffic), withConfiguration), observed(traffic)].flatMap(
    (observer) => failuresOf(observer).map((failure) => `its traffic: ${failure}`),
  );

process.exitCode = await exitCodeOf(runVariants);
