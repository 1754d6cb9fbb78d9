import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { UserError } from "../../lib/user-error.ts";
import { isNode } from "../document/values.ts";

/**
 * Reads an OpenAPI document, JSON or YAML, as plain data.
 *
 * @throws Failure with exit status 2 when the file cannot be read or is no OpenAPI 3 document
 */
export async function readDocument(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new UserError(`${file} cannot be read`, {
      hint: "Give the path of an OpenAPI file.",
      exitCode: 2,
      cause,
    });
  });
  const document = parsed(text, file);
  if (isNode(document) && isNode(document.paths) && "openapi" in document) return document;
  throw new UserError(`${file} is not an OpenAPI 3 document`, {
    hint: "It has no `openapi` or no `paths`.",
    exitCode: 2,
  });
}

function parsed(text: string, file: string): unknown {
  try {
    return text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, logLevel: "error" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new UserError(`${file} is neither JSON nor YAML: ${reason}`, { exitCode: 2, cause });
  }
}
