import { type Files, writeChanges } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import { generatedFolder } from "../common/paths.ts";
import { readBundle } from "../document/read-bundle.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { tracedChecks } from "./checks.ts";
import { requirementProblems } from "./problems.ts";
import { traceDetails, traceJson, traceMarkdown, traceText } from "./render.ts";
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
 * @param options.ids prints these requirements only; default: all
 * @param options.folder the folder of the bundle and the trace; default: `generated/`
 * @param options.print takes the text; default: standard output
 * @throws UserError with exit code 2 if there is no bundle, or no requirement with an id
 */
export async function runTrace(
  options: { ids?: readonly string[]; folder?: string; print?: (text: string) => void } = {},
): Promise<number> {
  const { ids = [], folder = generatedFolder, print = (text) => process.stdout.write(text) } = options;
  const document = await readBundle(folder);
  const rows = traceTable(document, await tracedChecks(document));
  const open = unspecifiedTable(document);
  mustHave(rows, ids);
  await writeChanges(folder, filesOf(rows, open));
  const shown = rows.filter(({ id }) => ids.includes(id));
  print(ids.length === 0 ? traceText(rows, open) : traceDetails(shown));
  const problems = [...requirementProblems(document), ...verificationProblems(rows)];
  if (problems.length > 0) print(`\n${problems.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}

function mustHave(rows: readonly TraceRow[], ids: readonly string[]): void {
  const unknown = ids.find((id) => !rows.some((row) => row.id === id));
  if (unknown === undefined) return;
  throw new UserError(`there is no requirement ${unknown}`, {
    hint: "The command without ids lists all requirements.",
    exitCode: 2,
  });
}

/** The generated files of the trace of a document, by name. */
export const traceFiles = async (document: OpenApiDocument): Promise<Files> =>
  filesOf(traceTable(document, await tracedChecks(document)), unspecifiedTable(document));

const filesOf = (rows: TraceRow[], open: UnspecifiedTraceRow[]): Files =>
  new Map([
    ["trace.json", traceJson(rows, open)],
    ["trace.md", traceMarkdown(rows, open)],
  ]);
