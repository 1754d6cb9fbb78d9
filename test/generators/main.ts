import { parseArgs } from "node:util";
import { generators } from "./all.ts";
import type { Generator, Reader, Tool } from "./generator.ts";
import { readers } from "./readers.ts";
import { record } from "./record.ts";
import { type ReaderRow, type Row, readerTable, table } from "./report.ts";
import { type Result, run } from "./run.ts";

const usage = `Usage: npm run generators -- [options] [name...]

Generates clients with default commands and compiles them, and lets other tools
read the documents. Without names, all; a name with a space needs quotes:
${[...generators, ...readers].map(({ name }) => `  ${name}`).join("\n")}

  --record   write the results to the guide, docs/generating-a-client.md
  --help     show this help`;

async function runAndPrint(tool: Generator | Reader): Promise<Pick<Result, "outcome" | "seconds">> {
  const { outcome, seconds, detail, output } = await run(tool);
  console.log(`${tool.name}: ${outcome}${detail === undefined ? "" : `, ${detail}`}`);
  if (outcome === "passed" && "printsResults" in tool) console.log(output);
  return { outcome, seconds };
}

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
  const unknown = positionals.find(
    (given) => ![...generators, ...readers].some(({ name }) => name === given),
  );
  if (unknown !== undefined) {
    console.error(`error: unknown generator or reader "${unknown}"\n\n${usage}`);
    return 2;
  }
  const isSelected = ({ name }: Tool): boolean => positionals.length === 0 || positionals.includes(name);
  const rows: Row[] = [];
  for (const generator of generators.filter(isSelected)) {
    const row: Row = { ...generator, ...(await runAndPrint(generator)) };
    rows.push(row);
    if (values.record && row.outcome === "passed") await record(row);
  }
  const readerRows: ReaderRow[] = [];
  for (const reader of readers.filter(isSelected))
    readerRows.push({ ...reader, ...(await runAndPrint(reader)) });
  if (rows.length > 0) console.log(`\n${table(rows)}`);
  if (readerRows.length > 0) console.log(`\n${readerTable(readerRows)}`);
  return [...rows, ...readerRows].some(({ outcome }) => outcome === "failed") ? 1 : 0;
}

process.exitCode = await main().catch((error: NodeJS.ErrnoException) => {
  if (error.code?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
  console.error(`error: ${error.message}\n\n${usage}`);
  return 2;
});
