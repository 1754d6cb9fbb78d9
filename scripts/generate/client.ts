import type { Files } from "../../lib/files.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { clientErrorsFile } from "./client-errors.ts";
import { modelsFile, pathsFile } from "./client-models.ts";
import { tableFile } from "./client-table.ts";

/**
 * The generated files of the client, by file name relative to `generated/`.
 *
 * @param types the text of `types.ts`, the source of the flat types
 */
export function clientFiles(document: OpenApiDocument, types: string): Files {
  return new Map([
    ["client/table.ts", tableFile(document)],
    ["client/errors.ts", clientErrorsFile(document)],
    ["client/models.ts", modelsFile(types)],
    ["client/paths.ts", pathsFile(types)],
  ]);
}
