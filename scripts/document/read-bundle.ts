import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";
import { generatedFolder } from "../paths.ts";
import type { OpenApiDocument } from "./types.ts";

/**
 * The bundle as it was generated last: what the verbs that come after `generate` start from.
 *
 * @param folder where the generated files are, absolute
 * @throws Failure with exit status 2 when it is not there or cannot be read
 */
export async function readBundle(folder: string = generatedFolder): Promise<OpenApiDocument> {
  const file = join(folder, "openapi.json");
  try {
    return JSON.parse(await readFile(file, "utf8")) as OpenApiDocument;
  } catch (cause) {
    throw new UserError(`there is no bundle: ${displayPath(file)} cannot be read`, {
      hint: "Run `npm run generate` first.",
      exitCode: 2,
      cause,
    });
  }
}
