import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { plainTable } from "../../../lib/table.ts";
import { UserError } from "../../../lib/user-error.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { runVariant, type VariantResult } from "./run-variant.ts";
import { clientVariants } from "./variants.ts";

const usage = `Usage: npm run client:variants -- [options]

Runs the whole client suite on correct clients that differ in what is up to a
client, and reports every false positive.

  --grep <pattern>  only clients whose title matches
  --help            show this help`;

/** Variants that run at the same time: most of their time they wait. */
const atOnce = 6;

/** Runs the whole suite on conforming variants. */
async function runVariants(): Promise<boolean> {
  const { values } = parseArgs({
    options: { grep: { type: "string", default: "" }, help: { type: "boolean" } },
  });
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const began = performance.now();
  const chosen = clientVariants.filter(({ title }) => new RegExp(values.grep).test(title));
  if (chosen.length === 0) throw new UserError(`no client matches --grep ${JSON.stringify(values.grep)}`);
  const results = await pLimit(atOnce).map(chosen, (variant) => runVariant(variant));
  const messages = results.flatMap((one) => one.falsePositives.map((found) => `${one.title}: ${found}`));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const summary = `${chosen.length} clients, ${messages.length} false positives, ${seconds} s`;
  console.log(`${tableOf(results)}\n\n${[...messages, summary].join("\n")}`);
  return messages.length === 0;
}

const tableOf = (results: readonly VariantResult[]): string =>
  plainTable({
    head: ["Correct client that", "Cases", "Not verified", "False +"],
    rows: results.map((one) => [
      one.title,
      ...[one.cases, one.notVerified, one.falsePositives.length].map((number) => String(number || "-")),
    ]),
    widths: [48, 7, 14, 9],
    align: ["left", "right", "right", "right"],
  });

process.exitCode = await exitCodeOf(runVariants);
