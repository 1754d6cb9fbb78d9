import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";
import { pointerOf, valueAtPointer } from "../document/json-pointer.ts";
import { isNode } from "../document/values.ts";
import { componentFolders } from "./extensions.ts";

/**
 * Holds a finished bundle against what a bundle must be: every `$ref` stays inside it and leads somewhere, and
 * every component has the name of its file. Throws a Failure that names the first place where that is not so.
 */
export async function verifyBundle(bundle: Record<string, unknown>, source: string): Promise<void> {
  for (const { pointer, reference } of references(bundle, [])) {
    if (reference.startsWith("#/") && valueAtPointer(bundle, reference) !== undefined) continue;
    throw new UserError(`${displayPath(source)}: "${reference}" at ${pointer} of the bundle leads nowhere`, {
      hint: "A $ref works where OpenAPI or JSON Schema has one, and in the x- tables of the root.",
    });
  }
  const components = isNode(bundle.components) ? bundle.components : {};
  for (const kind of componentFolders) {
    for (const name of Object.keys(components[kind] ?? {})) await verifyName(kind, name, source);
  }
}

async function verifyName(kind: string, name: string, source: string): Promise<void> {
  const file = join(dirname(source), kind, `${name}.yaml`);
  try {
    await access(file);
  } catch {
    throw new UserError(
      `components/${kind}/${name} is not the name of a file: there is no ${displayPath(file)}`,
      {
        hint: `Keep each part in openapi/${kind}/ under its own name and refer to it as ../${kind}/${name}.yaml.`,
      },
    );
  }
}

function* references(value: unknown, path: string[]): Generator<{ pointer: string; reference: string }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* references(item, [...path, String(index)]);
  } else if (isNode(value)) {
    if (typeof value.$ref === "string") yield { pointer: pointerOf(path), reference: value.$ref };
    for (const [key, item] of Object.entries(value)) yield* references(item, [...path, key]);
  }
}
