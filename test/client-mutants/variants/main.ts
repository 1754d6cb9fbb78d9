import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
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
client, and reports every false positive. Clients that differ in retries or
errors run the test cases in which something of the unchanged client fails.

  --grep <pattern>  only clients whose title matches
  --help            show this help`;

/** Conforming variants: correct clients that differ in what is up to a client. */
const clientVariants: readonly ClientVariant[] = [...requestVariants, ...resultVariants, ...retryVariants];

const unchanged: ClientVariant = { title: "is the unchanged client", create: () => ({}) };
const all = clientCases("full");

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
  const ofUnchanged = runVariant(unchanged, all);
  const ofOthers = pLimit(atOnce).map(chosen, async (variant) =>
    runVariant(variant, variant.isSameIfAllSucceeds ? (await ofUnchanged).withFailures : all),
  );
  const results = [await ofUnchanged, ...(await ofOthers)];
  const messages = results.flatMap((one) => one.falsePositives.map((found) => `${one.title}: ${found}`));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const summary = `${results.length} clients, ${messages.length} false positives, ${seconds} s`;
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
  /** The test cases in which a request or a call fails. */
  withFailures: typeof all;
}

/** Runs test cases on a correct client. */
async function runVariant({ title, create }: ClientVariant, cases: typeof all): Promise<VariantResult> {
  const { capabilities, outcomes } = await runClient({
    cases,
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
    withFailures: cases.filter((_, index) => {
      const { exchanges = [] } = outcomes[index] ?? {};
      return exchanges.length === 0 || !exchanges.every(hasSucceeded);
    }),
  };
}

/** Without a response the status is 0. */
const hasSucceeded = ({ response, call }: CaseOutcome["exchanges"][number]): boolean =>
  response.status >= 200 && response.status < 300 && call?.reply.startsWith('{"result":') === true;

process.exitCode = await exitCodeOf(runVariants);
