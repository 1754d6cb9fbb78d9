import { rm } from "node:fs/promises";
import { join } from "node:path";
import { compareChanges, type FileChange, type Files, leftovers, writeChanges } from "../lib/files.ts";
import { bundleFiles } from "./bundle/files.ts";
import { bundle } from "./bundle.ts";
import type { OpenApiDocument } from "./document/types.ts";
import { clientFiles } from "./generate/client.ts";
import { errorsFile } from "./generate/errors.ts";
import { headersFile } from "./generate/headers.ts";
import { idsFile } from "./generate/ids.ts";
import { lifecyclesFile } from "./generate/lifecycles.ts";
import { limitsFile } from "./generate/limits.ts";
import { operationsFile } from "./generate/operations.ts";
import { requirementsFile } from "./generate/requirements.ts";
import { typesFile } from "./generate/types.ts";
import { requestFiles } from "./generate/validators/requests.ts";
import { responseFiles } from "./generate/validators/responses.ts";
import { generatedFolder } from "./paths.ts";
import { readChecks } from "./trace/checks.ts";
import { responseChecks } from "./trace/responses.ts";
import { traceTable, unspecifiedTable } from "./trace/table.ts";
import { traceFiles } from "./trace.ts";

/** Everything that is made from the document, in memory: the texts by file name, relative to `generated/`. */
export async function generatedFiles(document: OpenApiDocument): Promise<Files> {
  const [types, requests, responses] = await Promise.all([
    typesFile(document),
    requestFiles(document),
    responseFiles(document),
  ]);
  return new Map([
    ...bundleFiles(document),
    ["types.ts", types],
    ["operations.ts", operationsFile(document)],
    ["headers.ts", headersFile(document)],
    ["ids.ts", idsFile(document)],
    ["errors.ts", errorsFile(document)],
    ["limits.ts", limitsFile(document)],
    ["lifecycles.ts", lifecyclesFile(document)],
    ["requirements.ts", requirementsFile(document)],
    ...clientFiles(document, types),
    ["validators/requests.js", requests.code],
    ["validators/requests.d.ts", requests.types],
    ["validators/responses.js", responses.code],
    ["validators/responses.d.ts", responses.types],
    ...traceFiles(
      traceTable(document, [...(await readChecks()), ...responseChecks(document)]),
      unspecifiedTable(document),
    ),
  ]);
}

/**
 * Makes everything that is generated and brings `generated/` in line: writes what differs, removes what nothing makes
 * any more. All of it is made before anything is written, so that a fault in the document changes no file.
 *
 * @param options.check compares only and writes nothing
 * @param options.document a bundle that is at hand; without it the document is bundled first
 * @param options.folder where to, `generated/` unless told otherwise
 * @returns what became, or with `check` would become, of each file
 */
export async function generate(
  options: { check?: boolean; document?: OpenApiDocument; folder?: string } = {},
): Promise<FileChange[]> {
  const folder = options.folder ?? generatedFolder;
  const files = await generatedFiles(options.document ?? (await bundle()));
  const removals = await leftovers(folder, files);
  if (options.check === true) return [...(await compareChanges(folder, files)), ...removals];
  const changes = await writeChanges(folder, files);
  for (const { file } of removals) await rm(join(folder, file));
  return [...changes, ...removals];
}

/** How many files were created, updated, removed and left as they are, in words: `2 updated, 13 unchanged`. */
export function changeCounts(changes: FileChange[]): string {
  const statuses = ["created", "updated", "removed", "unchanged"] as const;
  return statuses
    .map((status) => ({ status, count: changes.filter((change) => change.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${status}`)
    .join(", ");
}

/**
 * The `generate` verb: generates, prints what changed, and returns the exit status. With `check` nothing is written
 * and the status is 1 when something is stale.
 */
export async function runGenerate(options: { check?: boolean } = {}): Promise<number> {
  const changes = await generate(options);
  const stale = changes.filter(({ status }) => status !== "unchanged");
  for (const { file, status } of stale) console.log(`${status.padEnd(9)} generated/${file}`);
  console.log(`generated/: ${changeCounts(changes)}`);
  if (options.check !== true || stale.length === 0) return 0;
  console.error("generated/ is stale: run npm run generate");
  return 1;
}
