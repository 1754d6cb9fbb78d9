import { parseArgs } from "node:util";
import type { ObservedExchange } from "../../../contract/observe/subjects.ts";
import { planOf } from "../../../contract/plan.ts";
import { plainTable } from "../../../lib/table.ts";
import { exitCodeOf } from "../../exit-code.ts";
import { failuresOf, observed, shuffled, withAll, withConfiguration } from "../../observe/samples.ts";
import { demoSettings } from "../demo.ts";
import { variants } from "../variants.ts";
import { combinationsOf, unseenTitles } from "./combinations.ts";
import { falsePositivesOn, planFor } from "./false-positives.ts";
import type { Variant } from "./variant.ts";

const usage = `Usage: npm run contract:variants -- [options]

Runs the contract suite on correct servers that differ in unspecified
behaviour, and reports every false positive. A server has several differences
at once, in different places; if it has a false positive, each of them is run
alone, to name the one. "Different" is the number of requests and mails that a
server treats in another way than the sandbox. The traffic is observed, too: it
must show no failure.

  --alone           a server of its own for each difference; one in eight is
                    observed
  --grep <pattern>  only differences whose title matches, each alone
  --runs <number>   runs per server (default: 1)
  --model           run the profile model alone; default: the profile full
  --help            show this help`;

const { values } = parseArgs({
  options: {
    alone: { type: "boolean", default: false },
    grep: { type: "string" },
    runs: { type: "string", default: "1" },
    model: { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});
const runs = Number(values.runs);
const profile = values.model ? "model" : "full";
const [plan, whole] = [planFor(profile), planOf(demoSettings(profile))];

/** What the runs on a server found. */
interface Found {
  cases: number;
  /** By variant. */
  differences: number[];
  messages: string[];
}

async function runOn(server: readonly Variant[], isObserved: boolean): Promise<Found> {
  const all: Found = { cases: 0, differences: server.map(() => 0), messages: [] };
  for (let run = 0; run < runs; run += 1) {
    const traffic: ObservedExchange[] = [];
    const found = await falsePositivesOn(
      server,
      server.some(({ isWhole }) => isWhole) ? whole : plan,
      demoSettings(profile),
      isObserved ? traffic.push.bind(traffic) : undefined,
    );
    const unseen = server.filter(
      ({ title }, index) => !(unseenTitles.includes(title) || found.isSeen[index]),
    );
    all.cases += found.cases;
    all.differences = all.differences.map((number, index) => number + (found.differences[index] ?? 0));
    all.messages.push(
      ...found.falsePositives,
      ...observedIn(traffic),
      ...unseen.map(({ title }) => `no request and no mail shows that it ${title}`),
    );
  }
  return all;
}

/** The messages of a server, with those of its variants alone if there are any. */
async function explained(server: readonly Variant[], { messages }: Found): Promise<string[]> {
  const name = server.map(({ title }) => title).join("; ");
  const own = messages.map((message) => `${name}: ${message}`);
  if (own.length === 0 || server.length === 1) return own;
  const alone = [];
  for (const variant of server)
    for (const message of (await runOn([variant], true)).messages) alone.push(`${variant.title}: ${message}`);
  return [...own, ...(alone.length === 0 ? ["None of these alone has one."] : ["Alone:", ...alone])];
}

/** Runs the whole suite on conforming variants. */
async function runVariants(): Promise<boolean> {
  if (values.help === true) {
    console.log(usage);
    return true;
  }
  const began = performance.now();
  const chosen = variants.filter(({ title }) => new RegExp(values.grep ?? "").test(title));
  const isAlone = values.alone || values.grep !== undefined;
  const servers = isAlone ? chosen.map((variant) => [variant]) : combinationsOf(variants);
  const rows: string[][] = [];
  const messages: string[] = [];
  let falsePositives = 0;
  for (const [index, server] of servers.entries()) {
    // To observe each variant alone takes longer than the runs.
    const found = await runOn(server, !isAlone || index % 8 === 4);
    messages.push(...(await explained(server, found)));
    falsePositives += found.messages.length;
    const ofServer = [found.cases, found.messages.length];
    for (const [place, { title }] of server.entries()) {
      const [cases, messagesOfServer] = place === 0 ? ofServer : [];
      const numbers = [cases, found.differences[place], messagesOfServer];
      rows.push([place === 0 ? String(index + 1) : "", title, ...numbers.map((one) => String(one || "-"))]);
    }
  }
  const widths = [7, 52, 7, 10, 9];
  const table = { head: ["Server", "That", "Cases", "Different", "False +"], widths, rows };
  console.log(plainTable({ ...table, align: ["left", "left", "right", "right", "right"] }));
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const summary = `${chosen.length} variants on ${servers.length} servers, ${falsePositives} false positives in ${runs} runs, ${seconds} s`;
  console.log(`\n${[...messages, summary].join("\n")}`);
  return falsePositives === 0;
}

/** The failures that traffic shows to an observer with the configuration and all of it, in another order, and to one that knows nothing. */
const observedIn = (traffic: readonly ObservedExchange[]): string[] =>
  [observed(traffic, withAll), observed(shuffled(traffic), withConfiguration), observed(traffic)].flatMap(
    (observer) => failuresOf(observer).map((failure) => `its traffic: ${failure}`),
  );

process.exitCode = await exitCodeOf(runVariants);
