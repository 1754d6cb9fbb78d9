import { parseArgs } from "node:util";
import { type Client, readClients } from "./client.ts";
import { record } from "./record.ts";
import { runClient } from "./run.ts";
import { summary } from "./table.ts";

const clients = readClients();
const languages = [...new Set(clients.map(({ language }) => language))].sort();

const usage = `Usage: npm run clients -- [options] [name or language...]

Generates the clients of clients/, runs their examples and tests them with the
client suite, as generated and with the code that their READMEs show.
Languages: ${languages.join(", ")}. Names:
${clients.map(({ id }) => `  ${id}`).join("\n")}

  --record   write the results to the guide, docs/clients.md
  --all      fail if a client is skipped because a program is missing
  --help     show this help`;

const isNamed = ({ id, language }: Client, names: string[]): boolean =>
  names.some((name) => [id, language.toLowerCase()].includes(name.toLowerCase()));

interface Options {
  /** Whether the results are written to the guide. */
  record: boolean;
  /** Whether a client has failed that is skipped because a program is missing. */
  all: boolean;
}

/** @returns whether it passed, or may be skipped and was */
async function runAndPrint(client: Client, { record: isRecorded, all }: Options): Promise<boolean> {
  const start = performance.now();
  const { outcome, detail, isMissing = false, verdicts } = await runClient(client);
  const seconds = outcome === "skipped" ? "" : ` in ${Math.ceil((performance.now() - start) / 1000)} s`;
  console.log(`${client.id}: ${outcome}${detail === undefined ? seconds : `: ${detail}`}`);
  if (verdicts !== undefined) {
    console.log(summary(verdicts));
    if (isRecorded) await record(clients, client, verdicts);
  }
  return outcome === "passed" || (outcome === "skipped" && !(all && isMissing));
}

const flag = { type: "boolean", default: false } as const;

/** @returns the exit code */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { record: flag, all: flag, help: flag },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const unknown = positionals.find((name) => !clients.some((client) => isNamed(client, [name])));
  if (unknown !== undefined) {
    console.error(`error: unknown client or language "${unknown}"\n\n${usage}`);
    return 2;
  }
  let passed = true;
  for (const client of clients.filter((one) => positionals.length === 0 || isNamed(one, positionals)))
    passed = (await runAndPrint(client, values)) && passed;
  return passed ? 0 : 1;
}

process.exitCode = await main().catch((error: NodeJS.ErrnoException) => {
  if (error.code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  console.error(`error: ${error.message}\n\n${usage}`);
  return 2;
});
