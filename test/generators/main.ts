import { parseArgs } from "node:util";
import { generators } from "./all.ts";
import { record } from "./record.ts";
import { type Row, table } from "./report.ts";
import { run } from "./run.ts";

const usage = `Usage: npm run generators -- [options] [name...]

Generates clients with default commands and compiles them. Without names, all:
${generators.map(({ name }) => `  ${name}`).join("\n")}

  --record   write the results to the guide, docs/generating-a-client.md
  --help     show this help`;

/** @returns the exit code */
async function main(): Promise<number> {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = parseArgs({
    options: { record: flag, help: flag },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const unknown = positionals.find((given) => !generators.some(({ name }) => name === given));
  if (unknown !== undefined) {
    console.error(`error: unknown generator "${unknown}"\n\n${usage}`);
    return 2;
  }
  const rows: Row[] = [];
  for (const generator of generators) {
    if (positionals.length > 0 && !positionals.includes(generator.name)) continue;
    const { outcome, seconds, detail } = await run(generator);
    const row: Row = { ...generator, outcome, seconds };
    rows.push(row);
    if (values.record && outcome === "passed") await record(row);
    console.log(`${generator.name}: ${outcome}${detail === undefined ? "" : `, ${detail}`}`);
  }
  console.log(`\n${table(rows)}`);
  return rows.some(({ outcome }) => outcome === "failed") ? 1 : 0;
}

process.exitCode = await main();
