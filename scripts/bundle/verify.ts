import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../common/display-path.ts";
import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { everyText, type Node, nodeOf } from "../document/values.ts";

/** The folders whose files are components, each under the name of its file. */
export const componentFolders = ["schemas", "responses", "parameters", "headers", "examples"] as const;

/**
 * Verifies that every `$ref` of a bundle resolves within it, and that every component has the name of its file.
 *
 * @throws UserError for the first that does not
 */
export function verifyBundle(bundle: Node, source: string): void {
  for (const { path, text } of everyText(bundle)) {
    if (path.at(-1) !== "$ref" || (text.startsWith("#/") && valueAtPointer(bundle, text) !== undefined))
      continue;
    throw new UserError(
      `${displayPath(source)}: unresolved $ref "${text}" at ${pointerOf(path.slice(0, -1))}`,
      {
        hint: "A $ref works where OpenAPI or JSON Schema has one, and in the x- tables of the root.",
      },
    );
  }
  for (const kind of componentFolders)
    for (const name of Object.keys(nodeOf(nodeOf(bundle.components)[kind]))) {
      const file = join(dirname(source), kind, `${name}.yaml`);
      if (existsSync(file)) continue;
      throw new UserError(
        `components/${kind}/${name} must have the name of its file: there is no ${displayPath(file)}`,
        {
          hint: `Keep each component in openapi/${kind}/ under its own name and refer to it as ../${kind}/${name}.yaml.`,
        },
      );
    }
}
