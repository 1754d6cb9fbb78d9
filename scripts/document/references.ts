import { UserError } from "../../lib/user-error.ts";
import { pathOf, valueAt, valueAtPointer } from "./json-pointer.ts";
import type { Reference } from "./types.ts";
import { everyText, isNode, type Located, type Node, nodeOf, type Path } from "./values.ts";

/** A chain of `$ref`s longer than this is a cycle. */
const longestChain = 20;

/**
 * Follows `$ref`s within the document and returns the target with its path.
 * Stops at an unresolved `$ref` and in a cycle: the built-in lint rules report those.
 */
export const follow = (document: object, path: Path, value: unknown): Located => {
  let located: Located = { path, value: nodeOf(value) };
  for (let step = 0; step < longestChain && typeof located.value.$ref === "string"; step += 1) {
    const target = pathOf(located.value.$ref);
    const next = valueAt(document, target);
    if (!located.value.$ref.startsWith("#/") || !isNode(next)) return located;
    located = { path: target, value: next };
  }
  return located;
};

/**
 * The value itself, or the component that it refers to. Keywords beside the `$ref` are dropped.
 * The result is the same object as in the document, so that components can be compared by identity.
 * @throws UserError for an unresolved `$ref`
 */
export function dereference<Value extends object>(document: object, value: Reference<Value>): Value {
  const target = follow(document, [], value).value;
  if (typeof target.$ref === "string") throw new UserError(`unresolved $ref "${target.$ref}"`);
  return target as Value;
}

/**
 * The schema with its `$ref` replaced by the keywords of the target. A keyword beside the `$ref` overrides that of the target,
 * so that a description beside it is the one that readers see. An unresolved `$ref` is dropped.
 */
export const resolveSchema = (document: object, schema: unknown): Node => {
  const { $ref, ...beside } = nodeOf(schema);
  if (typeof $ref !== "string") return nodeOf(schema);
  const { $ref: unresolved, ...target } = follow(document, [], schema).value;
  return { ...target, ...beside };
};

/** The `$ref`s in a part of the document, and in the parts that these refer to. */
export function referencesIn(document: object, part: unknown, found = new Set<string>()): Set<string> {
  for (const { path, text } of everyText({ part })) {
    if (path.at(-1) !== "$ref" || found.has(text)) continue;
    found.add(text);
    referencesIn(document, valueAtPointer(document, text), found);
  }
  return found;
}

/** Objects with names of the author as keys: one of them may be `default`. */
const maps = new Set<unknown>([
  ...["paths", "responses", "content", "headers", "examples", "links", "callbacks", "properties", "$defs"],
  ...["patternProperties", "dependentSchemas", "schemas", "parameters", "requestBodies", "pathItems"],
]);

/** The keywords with a value of the API itself, which may contain a property `$ref`. */
const values = new Set<unknown>(["value", "example", "default", "const", "enum"]);

/** Whether a path leads into an example, another value or an extension. */
const isData = (path: Path): boolean =>
  path.some((key, index) => {
    const owner = path[index - 1];
    if (owner === "examples" && typeof key === "number") return true;
    return !maps.has(owner) && (values.has(key) || /^x-(?!gateway-responses$)/.test(String(key)));
  });

/** The unresolved `$ref`s, each with its path. */
export const unresolvedIn = (document: Node) =>
  everyText(document).filter(
    ({ path, text }) =>
      path.at(-1) === "$ref" &&
      !isData(path) &&
      typeof follow(document, [], { $ref: text }).value.$ref === "string" &&
      // A schema may be `true` or `false`.
      typeof valueAtPointer(document, text) !== "boolean",
  );
