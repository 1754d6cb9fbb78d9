import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { shown } from "./bundle/shown.ts";
import type { OpenApiDocument } from "./document.ts";
import { Failure } from "./failure.ts";
import { type Files, writeChanges } from "./generate/files.ts";
import { generatedFolder } from "./paths.ts";
import { readChecks } from "./trace/checks.ts";
import { traceJson, traceMarkdown, traceText } from "./trace/render.ts";
import { type OpenPlace, openPlaces, summarize, type TraceRow, traceTable } from "./trace/table.ts";

/**
 * The `trace` verb: sets every requirement against where the document encodes it and the checks that verify it, prints
 * the table, writes it as `trace.json` and `trace.md` and returns the exit status, which is 1 when a requirement is
 * neither encoded, nor checked, nor excluded.
 * @param options.folder where the bundle is and the trace goes: `generated/` unless told otherwise
 * @param options.print what to do with the table: it goes to the standard output unless told otherwise
 * @throws {Failure} when there is no bundle to read
 */
export async function runTrace(
  options: { folder?: string; print?: (text: string) => void } = {},
): Promise<number> {
  const { folder = generatedFolder, print = (text) => process.stdout.write(text) } = options;
  const document = await readBundle(folder);
  const rows = traceTable(document, await readChecks());
  const open = openPlaces(document);
  await writeChanges(folder, traceFiles(rows, open));
  print(traceText(rows, open));
  return summarize(rows).neither === 0 ? 0 : 1;
}

/** The generated files of a trace, by name. */
export const traceFiles = (rows: TraceRow[], open: OpenPlace[]): Files =>
  new Map([
    ["trace.json", traceJson(rows, open)],
    ["trace.md", traceMarkdown(rows, open)],
  ]);

/**
 * The requirements of the bundle against where they are encoded and the checks that verify them.
 * @throws {Failure} when there is no bundle to read
 */
export const trace = async (): Promise<TraceRow[]> =>
  traceTable(await readBundle(generatedFolder), await readChecks());

async function readBundle(folder: string): Promise<OpenApiDocument> {
  const path = join(folder, "openapi.json");
  try {
    return JSON.parse(await readFile(path, "utf8")) as OpenApiDocument;
  } catch (cause) {
    throw new Failure(`there is no bundle to trace: ${shown(path)} cannot be read`, {
      hint: "Run `npm run generate` first.",
      cause,
    });
  }
}
