import { parse } from "yaml";
import { firstLine } from "../../lib/first-line.ts";
import { readTextFile } from "../../lib/text-file.ts";
import { UserError } from "../../lib/user-error.ts";
import { pointerOf } from "../document/json-pointer.ts";
import { isNode, type Node } from "../document/values.ts";
import { everyText } from "../document/walk.ts";

/**
 * Reads an OpenAPI document, JSON or YAML, as plain data.
 *
 * @throws UserError with exit code 2 if the file cannot be read, or is not a bundled OpenAPI 3 document
 */
export async function readDocument(file: string): Promise<Node> {
  const fail = (message: string, hint: string, cause?: unknown): UserError =>
    new UserError(message, { hint, exitCode: 2, cause });
  const text = readTextFile(file, { maxMegabytes: 64, hint: "Pass the path of an OpenAPI file." });
  const document = parsed(text, (reason, cause) =>
    fail(`${file} is invalid: ${reason}`, "Pass JSON or YAML.", cause),
  );
  if (!isNode(document) || !isNode(document.paths) || !("openapi" in document))
    throw fail(`${file} is not an OpenAPI 3 document`, "It has no `openapi` or no `paths`.");
  const external = everyText(document).find(
    ({ path, text }) => path.at(-1) === "$ref" && !text.startsWith("#"),
  );
  if (external === undefined) return document;
  const place = pointerOf(external.path);
  throw fail(
    `${file} refers to another file at ${place}: ${external.text}`,
    "Bundle the document into one file first.",
  );
}

function parsed(text: string, fail: (reason: string, cause: unknown) => UserError): unknown {
  try {
    return text.trimStart().startsWith("{")
      ? JSON.parse(text)
      : parse(text, { maxAliasCount: -1, logLevel: "error" });
  } catch (cause) {
    throw fail(firstLine(cause), cause);
  }
}
