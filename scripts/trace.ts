import { readFile } from "node:fs/promises";
import type { OpenApiDocument } from "./document.ts";
import { Failure } from "./failure.ts";
import { type Files, writeChanges } from "./generate/files.ts";
import { generatedFolder } from "./paths.ts";
import { readChecks } from "./trace/checks.ts";
import { traceJson, traceMarkdown, traceText } from "./trace/render.ts";
import { type OpenPlace, openPlaces, summarize, type TraceRow, traceTable } from "./trace/table.ts";

/**
 * The `trace` verb: sets every requirement against where the document encodes it and the checks that verify it, prints
 * the table, writes it as `generated/trace.json` and `generated/trace.md` and returns the exit status, which is 1 when
 * a requirement is neither encoded, nor checked, nor excluded.
 * @throws {Failure} when there is no bundle to read.
 */
export async function runTrace(
  print = (text: string): unknown => process.stdout.write(text),
): Promise<number> {
  const document = await readBundle();
  const rows = traceTable(document, await readChecks());
  const open = openPlaces(document);
  await writeChanges(generatedFolder, traceFiles(rows, open));
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
 * @throws {Failure} when there is no bundle to read.
 */
export const trace = async (): Promise<TraceRow[]> => traceTable(await readBundle(), await readChecks());

async function readBundle(path = `${generatedFolder}/openapi.json`): Promise<OpenApiDocument> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as OpenApiDocument;
  } catch (cause) {
    throw new Failure("There is no bundle to trace: generated/openapi.json cannot be read.", {
      hint: "Run `npm run generate` first.",
      cause,
    });
  }
}
