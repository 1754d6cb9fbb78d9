import { access } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";
import type { ComponentKind } from "../document/types.ts";
import { isNode } from "../document/values.ts";
import { hint, readSource } from "./source.ts";

/** The folders whose files are components of that kind, each under the name of its file. */
export const componentFolders = ["schemas", "responses", "parameters", "headers", "examples"] as const;

/** The components that were reached, by kind and name (`schemas/Note`). */
export type Reached = Map<`${ComponentKind}/${string}`, unknown>;

/**
 * The root `x-...` tables of a split document, with every `$ref` in them taken care of, and the components they reach.
 *
 * Redocly puts the file of such a `$ref` in its place but leaves the references inside that file as they are, so
 * that they point nowhere, and it makes no component of it. Here a file of a component folder becomes a component
 * and the reference a pointer to it; any other file is put in place.
 * Throws a Failure with file, line and column when a file is missing or is not YAML.
 */
export async function readExtensions(
  source: string,
): Promise<{ values: Record<string, unknown>; reached: Reached }> {
  const reached: Reached = new Map();
  const load = async (file: string, pick = (value: unknown) => value): Promise<unknown> => {
    const { value, placeOf } = await readSource(file);
    return settled(pick(value), (reference) => follow(reference, file, placeOf(reference)));
  };
  const follow = async (reference: string, from: string, place: string): Promise<unknown> => {
    if (reference.startsWith("#")) return { $ref: reference };
    const file = resolve(dirname(from), reference);
    const found = await access(file).then(
      () => true,
      () => false,
    );
    if (!found) {
      throw new UserError(`${place}: cannot resolve "${reference}": there is no file ${displayPath(file)}`, {
        hint,
      });
    }
    const component = componentOf(file, dirname(source));
    if (component === undefined) return load(file);
    if (!reached.has(component)) {
      // Claimed before it is read, so that a schema which contains itself comes to an end.
      reached.set(component, undefined);
      reached.set(component, await load(file));
    }
    return { $ref: `#/components/${component}` };
  };
  const values = (await load(source, extensionsOf)) as Record<string, unknown>;
  return { values, reached };
}

function componentOf(file: string, folder: string): `${ComponentKind}/${string}` | undefined {
  const kind = componentFolders.find((name) => resolve(folder, name) === dirname(file));
  return kind === undefined ? undefined : `${kind}/${basename(file, extname(file))}`;
}

function extensionsOf(root: unknown): unknown {
  return Object.fromEntries(Object.entries(root ?? {}).filter(([key]) => key.startsWith("x-")));
}

/** The value with each `{ $ref: "..." }` in it replaced by what `follow` gives, one after the other. */
async function settled(value: unknown, follow: (reference: string) => Promise<unknown>): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(await settled(item, follow));
    return items;
  }
  if (!isNode(value)) return value;
  if (typeof value.$ref === "string") {
    const { $ref, ...beside } = value;
    const target = await follow($ref);
    return isNode(target) ? { ...target, ...beside } : target;
  }
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) entries.push([key, await settled(item, follow)]);
  return Object.fromEntries(entries);
}
