import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../../lib/user-error.ts";
import { displayPath, generatedFolder } from "../common/paths.ts";
import type { OpenApiDocument } from "./types.ts";

/**
 * The bundle that `generate` wrote last.
 * @param folder the folder of generated files, absolute
 * @throws UserError with exit code 2 if it cannot be read
 */
export async function readBundle(folder: string = generatedFolder): Promise<OpenApiDocument> {
  const file = join(folder, "openapi.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as OpenApiDocument;
  } catch (cause) {
    throw usageError(
      `there is no bundle: ${displayPath(file)} cannot be read`,
      "Run `npm run generate` first.",
      cause,
    );
  }
}
