import { readFile } from "node:fs/promises";
import type { OpenApiDocument } from "../document.ts";
import { Failure } from "../failure.ts";
import { generatedFolder } from "../paths.ts";

/**
 * The document that the mock serves.
 * @param folder where the generated files are, absolute
 * @throws Failure when it is not there or cannot be read
 */
export async function readBundle(folder: string = generatedFolder): Promise<OpenApiDocument> {
  try {
    return JSON.parse(await readFile(`${folder}/openapi.json`, "utf8")) as OpenApiDocument;
  } catch (cause) {
    throw new Failure("There is no document to serve: generated/openapi.json cannot be read.", {
      hint: "Run `npm run generate` first.",
      exitStatus: 2,
      cause,
    });
  }
}
