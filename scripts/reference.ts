import type { Reference } from "./document.ts";
import { Failure } from "./failure.ts";

/**
 * What stands at a JSON pointer, `/paths/~1emails/post` or as a URI fragment (`#/components/schemas/Note`).
 * Undefined where nothing stands.
 */
export function at(document: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (value, segment) => (isRecord(value) || Array.isArray(value) ? own(value, segment) : undefined),
    document,
  );
}

/** The pieces of a JSON pointer, unescaped: `#/paths/~1emails` gives `["paths", "/emails"]`. */
export function segments(pointer: string): string[] {
  const fragment = pointer.startsWith("#") ? decodeURIComponent(pointer.slice(1)) : pointer;
  return fragment
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Pieces put together as a JSON pointer, escaped: `["paths", "/emails"]` gives `/paths/~1emails`. */
export function pointerOf(pieces: readonly string[]): string {
  return pieces.map((piece) => `/${escaped(piece)}`).join("");
}

/** A name as it stands in a JSON pointer. */
export const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/**
 * The value itself, where it may be a pointer into the document. Follows chains.
 * Throws a Failure that names the pointer when nothing stands there.
 */
export function resolved<Value extends object>(document: unknown, value: Reference<Value>): Value {
  const seen = new Set<string>();
  let current: Reference<Value> = value;
  while ("$ref" in current && typeof current.$ref === "string") {
    const target: unknown = at(document, current.$ref);
    if (!isRecord(target) || seen.has(current.$ref)) throw new Failure(`"${current.$ref}" leads nowhere`);
    seen.add(current.$ref);
    current = target as Reference<Value>;
  }
  return current as Value;
}

/** The last piece of a pointer: the name of a component. */
export function nameOf(pointer: string): string {
  return segments(pointer).at(-1) ?? "";
}

/** Whether the value is an object that is not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
