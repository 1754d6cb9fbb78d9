import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import { plainTable } from "../../../lib/table.ts";
import { UserError } from "../../../lib/user-error.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { falsePositives } from "../../mutants/variants/false-positives.ts";
import { inProcessDriver } from "../in-process/driver.ts";
import { requestVariants } from "./requests.ts";
import { resultVariants } from "./results.ts";
import { retryVariants } from "./retries.ts";
import type { ClientVariant } from "./variant.ts";

const usage = `Usage: npm run client:variants -- [options]

Runs the whole client suite on correct clients that differ in what is up to a
client, and reports every false positive.

  --grep <pattern>  only clients whose title matches
  --help            show this help`;

/** Conforming variants: correct clients that differ in what is up to a client. */
const clientVariants: readonly ClientVariant[] = [
  { title: "is the unchanged client", create: () => ({}) },
  ...retryVariants,
  ...requestVariants,
  ...resultVariants,
];

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

/** What a run on a correct client found. */
interface VariantResult {
  title: string;
  /** The number of test cases. */
  cases: number;
  /** Those that a client without parts of errors cannot pass or fail. */
  notVerified: number;
  falsePositives: string[];
}

/** Runs a profile of the suite on a correct client. */
async function runVariant({ title, create }: ClientVariant): Promise<VariantResult> {
  const { capabilities, outcomes } = await runClient({
    cases: clientCases("full"),
    startDriver: inProcessDriver(create),
    startService: startSandboxService,
  });
  // A client without retries, keys or timeouts can pass everything.
  const hasAll = capabilities.errors === undefined;
  const verified = outcomes.filter(({ verdict }) => hasAll || verdict !== "not verified");
  return {
    title,
    cases: outcomes.length,
    notVerified: outcomes.length - verified.length,
    falsePositives: falsePositives(verified),
  };
}

process.exitCode = await exitCodeOf(runVariants);
