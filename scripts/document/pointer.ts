import { UserError } from "../../lib/user-error.ts";
import type { Reference } from "./types.ts";
import { isNode, pathOf, valueAt } from "./values.ts";

/**
 * What stands at a JSON pointer, `/paths/~1emails/post` or as a URI fragment (`#/components/schemas/Note`).
 * Undefined where nothing stands.
 */
export const at = (document: unknown, pointer: string): unknown => valueAt(document, pathOf(pointer));

/**
 * The value itself, where it may be a pointer into the document. Follows chains.
 * Throws a Failure that names the pointer when nothing stands there.
 */
export function resolved<Value extends object>(document: unknown, value: Reference<Value>): Value {
  const seen = new Set<string>();
  let current: Reference<Value> = value;
  while ("$ref" in current && typeof current.$ref === "string") {
    const target: unknown = at(document, current.$ref);
    if (!isNode(target) || seen.has(current.$ref)) throw new UserError(`"${current.$ref}" leads nowhere`);
    seen.add(current.$ref);
    current = target as Reference<Value>;
  }
  return current as Value;
}

/** The last piece of a pointer: the name of a component. */
export const nameOf = (pointer: string): string => pathOf(pointer).at(-1) ?? "";
