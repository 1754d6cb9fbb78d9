import { type Files, writeChanges } from "../../lib/files.ts";
import { generatedFolder } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import { readChecks } from "./checks.ts";
import { requirementProblems } from "./problems.ts";
import { traceJson, traceMarkdown, traceText } from "./render.ts";
import { responseChecks } from "./responses.ts";
import {
  type TraceRow,
  traceTable,
  type UnspecifiedTraceRow,
  unspecifiedTable,
  verificationProblems,
} from "./table.ts";

/**
 * The `trace` command: prints where the document encodes every requirement and which checks verify it, writes it as
 * `trace.json` and `trace.md`, then prints the problems of the requirements. Returns the exit code, 1 if there are any.
 *
 * @param options.folder the folder of the bundle and the trace; default: `generated/`
 * @param options.print takes the text; default: standard output
 * @throws UserError with exit code 2 if there is no bundle
 */
export async function runTrace(
  options: { folder?: string; print?: (text: string) => void } = {},
): Promise<number> {
  const { folder = generatedFolder, print = (text) => process.stdout.write(text) } = options;
  const document = await readBundle(folder);
  const checks = [...(await readChecks()), ...responseChecks(document)];
  const rows = traceTable(document, checks);
  const open = unspecifiedTable(document);
  await writeChanges(folder, traceFiles(rows, open));
  print(traceText(rows, open));
  const problems = [...requirementProblems(document), ...verificationProblems(rows)];
  if (problems.length > 0) print(`\n${problems.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** The generated files of a trace, by name. */
export const traceFiles = (rows: TraceRow[], open: UnspecifiedTraceRow[]): Files =>
  new Map([
    ["trace.json", traceJson(rows, open)],
    ["trace.md", traceMarkdown(rows, open)],
  ]);
