import { join } from "node:path";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { reportsFolder } from "../../scripts/common/paths.ts";
import { renewReport } from "../reports/renew.ts";
import { type BuiltClient, buildClient, type Client, readClients, verifyClient } from "./client.ts";
import { generators, readers } from "./generators.ts";
import { record, recordedCommands, summary } from "./record.ts";
import { commandsOf, type Generator, type Reader, type Result, run } from "./tools.ts";

const clients = readClients();
const languages = [...new Set(clients.map(({ language }) => language))].sort();
const tools = [...generators, ...readers];

const usage = `Usage: npm run clients -- [options] [name or language...]

Generates the clients of clients/, runs their examples and tests them with the
client suite, as generated and with the code that their READMEs show. With
--generators, or by name, generates clients with default commands and compiles
them, and lets other tools read the document. A name with a space needs quotes.

Languages: ${languages.join(", ")}. Clients:
${clients.map(({ id }) => `  ${id}`).join("\n")}
Generators and readers:
${tools.map(({ name }) => `  ${name}`).join("\n")}

  --generators  run the generators and readers in place of the clients
  --record      write the results to the guides: docs/clients.md,
                clients/README.md and docs/generating-a-client.md
  --all         fail if something is skipped because a program is missing
  --renew-reports
                write the reports in reports/, also if they say the same
  --help        show this help`;

const isNamed = ({ id, language }: Client, names: string[]): boolean =>
  names.some((name) => [id, language.toLowerCase()].includes(name.toLowerCase()));

interface Options {
  record: boolean;
  all: boolean;
  "renew-reports": boolean;
}

/** @returns whether it passed, or may be skipped and was */
function print(name: string, { outcome, detail, seconds, isMissing = false }: Result, all: boolean): boolean {
  const times = Object.entries(seconds).map(([step, taken]) => `${step} ${taken} s`);
  console.log(`${name}: ${outcome}${detail === undefined ? ` (${times.join(", ")})` : `: ${detail}`}`);
  return outcome === "passed" || (outcome === "skipped" && !(all && isMissing));
}

async function verifyAndPrint(built: BuiltClient, options: Options): Promise<boolean> {
  const { record: isRecorded, all, "renew-reports": isRenewed } = options;
  const { client } = built;
  const { verdicts, report, ...result } = await verifyClient(built);
  const isRight = print(client.id, result, all);
  if (verdicts === undefined) return isRight;
  console.log(summary(verdicts));
  const file = join(reportsFolder, `${client.id}.json`);
  if (report && (await renewReport(file, report, isRenewed)))
    console.log(`Written: reports/${client.id}.json`);
  if (isRecorded) await record("clients", client.id, { commands: recordedCommands(client), ...verdicts });
  return isRight;
}

async function runToolAndPrint(
  tool: Generator | Reader,
  { record: isRecorded, all }: Options,
): Promise<boolean> {
  const result = await run(tool);
  const isRight = print(tool.name, result, all);
  if (result.outcome !== "passed") return isRight;
  if ("printsResults" in tool) console.log(result.output);
  if (isRecorded && "generate" in tool)
    await record("generators", tool.name, { commands: commandsOf(tool), seconds: result.seconds });
  return isRight;
}

/**
 * Builds clients, two at once: those with Maven, whose downloads must not meet, and the others. Meanwhile those that are built are tested, which
 * is mostly waiting.
 *
 * @returns whether all passed, or may be skipped and were
 */
async function verifyAll(chosen: Client[], options: Options): Promise<boolean> {
  // Those that are recorded write to the same files.
  const limit = pLimit(options.record ? 1 : 2);
  const groups = Map.groupBy(chosen, ({ tool }) => tool.needs.includes("mvn"));
  const building = [...groups.values()].map(async (group) => {
    const verifying: Promise<boolean>[] = [];
    for (const client of group) {
      const built = await buildClient(client);
      verifying.push(limit(() => verifyAndPrint(built, options)));
    }
    return Promise.all(verifying);
  });
  return (await Promise.all(building)).flat().every(Boolean);
}

const flag = { type: "boolean", default: false } as const;

/** @returns the exit code */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { generators: flag, record: flag, all: flag, "renew-reports": flag, help: flag },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const isTool = (name: string): boolean => tools.some((tool) => tool.name === name);
  const unknown = positionals.find((name) => !isTool(name) && !clients.some((one) => isNamed(one, [name])));
  if (unknown !== undefined) {
    console.error(`error: unknown client, language, generator or reader "${unknown}"\n\n${usage}`);
    return 2;
  }
  const areAll = positionals.length === 0;
  const chosen = clients.filter((one) => (areAll ? !values.generators : isNamed(one, positionals)));
  let isRight = await verifyAll(chosen, values);
  for (const tool of tools)
    if (areAll ? values.generators : positionals.includes(tool.name))
      isRight = (await runToolAndPrint(tool, values)) && isRight;
  return isRight ? 0 : 1;
}

process.exitCode = await main().catch((error: NodeJS.ErrnoException) => {
  if (error.code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  console.error(`error: ${error.message}\n\n${usage}`);
  return 2;
});
