import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  byFile,
  compareChanges,
  type FileChange,
  type Files,
  leftovers,
  writeChanges,
} from "../../lib/files.ts";
import { printLine, printNotice } from "../../lib/print.ts";
import { bundle, bundleFiles } from "../bundle/bundle.ts";
import { header, notice } from "../common/notice.ts";
import { generatedFolder } from "../common/paths.ts";
import { editionFiles } from "../document/editions.ts";
import { errorsFile } from "../document/error-file.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { clientErrorsFile, tableFile } from "./client.ts";
import { modelsFile, pathsFile } from "./client-models.ts";
import { examplesFile, headersFile, idsFile, limitsFile, requirementsFile } from "./data.ts";
import { lifecyclesFile } from "./lifecycles.ts";
import { operationsFile } from "./operations.ts";
import { schemaTypesFile } from "./schema-types.ts";
import { typesFile } from "./types.ts";
import { requestFiles, responseFiles } from "./validators/validators.ts";

/** All generated files but the trace in memory: the texts by file name, relative to `generated/`. */
export async function generatedFiles(document: OpenApiDocument): Promise<Files> {
  const [types, schemaTypes, requests, responses] = await Promise.all([
    typesFile(document),
    schemaTypesFile(),
    requestFiles(document),
    responseFiles(document),
  ]);
  const code = new Map([
    ["types.ts", types],
    ["operations.ts", operationsFile(document)],
    ["headers.ts", headersFile(document)],
    ["ids.ts", idsFile(document)],
    ["errors.ts", errorsFile(document)],
    ["examples.ts", examplesFile(document)],
    ["limits.ts", limitsFile(document)],
    ["lifecycles.ts", lifecyclesFile(document)],
    ["requirements.ts", requirementsFile(document)],
    ["client/table.ts", tableFile(document)],
    ["client/errors.ts", clientErrorsFile(document)],
    ["client/models.ts", modelsFile(types)],
    ["client/paths.ts", pathsFile(types)],
    ["validators/requests.js", requests.code],
    ["validators/requests.d.ts", requests.types],
    ["validators/responses.js", responses.code],
    ["validators/responses.d.ts", responses.types],
  ]);
  return new Map([
    ...bundleFiles(document, notice),
    ...editionFiles(document, notice),
    ...[...code].map(([file, text]) => [file, header + text] as const),
    ["schema-types.ts", schemaTypes],
  ]);
}

/**
 * Generates all files and updates `generated/`: writes what differs and removes files that are no longer generated.
 * Everything is generated before anything is written, so that an error in the document changes no file.
 * @param options.check compares only
 * @param options.document the bundle; default: bundles the document first
 * @param options.folder the target folder; default: `generated/`
 * @returns the change of each file, also with `check`
 */
export async function generate(
  options: { check?: boolean; document?: OpenApiDocument; folder?: string } = {},
): Promise<FileChange[]> {
  const folder = options.folder ?? generatedFolder;
  const document = options.document ?? (await bundle());
  const files = await generatedFiles(document);
  const update = options.check === true ? compareChanges : writeChanges;
  const changes = await update(folder, files);
  // The checks that the trace lists read what is generated, so they are loaded after that is written.
  const { traceFiles } = await import("../trace/trace.ts");
  const trace = await traceFiles(document);
  changes.push(...(await update(folder, trace)));
  const removals = await leftovers(folder, new Map([...files, ...trace]));
  if (options.check !== true) for (const { file } of removals) await rm(join(folder, file));
  return [...changes.sort(byFile), ...removals];
}

/** The number of changes by status: `2 updated, 13 unchanged`. */
export function changeCounts(changes: FileChange[]): string {
  const parts = ["created", "updated", "removed", "unchanged"].flatMap((status) => {
    const { length } = changes.filter((change) => change.status === status);
    return length === 0 ? [] : [`${length} ${status}`];
  });
  return parts.join(", ");
}

/**
 * The `generate` command: generates, prints what changed, and returns the exit code. With `check` it writes nothing,
 * and the exit code is 1 if a file is stale.
 */
export async function runGenerate(options: { check?: boolean } = {}): Promise<number> {
  const changes = await generate(options);
  const stale = changes.filter(({ status }) => status !== "unchanged");
  for (const { file, status } of stale) printLine(`${status.padEnd(9)} generated/${file}`);
  printLine(`generated/: ${changeCounts(changes)}`);
  if (options.check !== true || stale.length === 0) return 0;
  printNotice("generated/ is stale: run npm run generate");
  return 1;
}
