import { type Files, writeChanges } from "../lib/files.ts";
import { readBundle } from "./document/read-bundle.ts";
import { generatedFolder } from "./paths.ts";
import { readChecks } from "./trace/checks.ts";
import { requirementFaults } from "./trace/faults.ts";
import { traceJson, traceMarkdown, traceText } from "./trace/render.ts";
import { answerChecks } from "./trace/responses.ts";
import { type OpenRow, openTable, type TraceRow, traceTable } from "./trace/table.ts";

/**
 * The `trace` verb: sets every requirement against where the document encodes it and the checks that verify it, prints
 * the table, writes it as `trace.json` and `trace.md` and returns the exit status, which is 1 when something is wrong with
 * them, such as one that is neither encoded, nor checked, nor excluded: each such fault is printed last.
 * @param options.folder where the bundle is and the trace goes: `generated/` unless told otherwise
 * @param options.print what to do with the table: it goes to the standard output unless told otherwise
 * @throws Failure with exit status 2 when there is no bundle to read
 */
export async function runTrace(
  options: { folder?: string; print?: (text: string) => void } = {},
): Promise<number> {
  const { folder = generatedFolder, print = (text) => process.stdout.write(text) } = options;
  const document = await readBundle(folder);
  const checks = [...(await readChecks()), ...answerChecks(document)];
  const rows = traceTable(document, checks);
  const open = openTable(document);
  await writeChanges(folder, traceFiles(rows, open));
  print(traceText(rows, open));
  const faults = requirementFaults(document, checks);
  if (faults.length > 0) print(`\n${faults.join("\n")}\n`);
  return faults.length === 0 ? 0 : 1;
}

/** The generated files of a trace, by name. */
export const traceFiles = (rows: TraceRow[], open: OpenRow[]): Files =>
  new Map([
    ["trace.json", traceJson(rows, open)],
    ["trace.md", traceMarkdown(rows, open)],
  ]);
