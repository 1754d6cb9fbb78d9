import { mapValues } from "../../lib/map-values.ts";
import { UserError } from "../../lib/user-error.ts";
import { pointerOf } from "../document/json-pointer.ts";
import { limitOf } from "../document/limits.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isNode } from "../document/values.ts";

/**
 * The document with the numbers of limits in its texts: `{{idempotencyWindow}}` becomes the number of that row.
 *
 * @throws UserError with a JSON Pointer for an unknown limit
 */
export function withLimits(document: OpenApiDocument): OpenApiDocument {
  const number = (name: string, path: string[]): string => {
    const row = document["x-limits"]?.[name];
    if (row !== undefined) return String(limitOf(document, name, row));
    throw new UserError(`${pointerOf(path)} names the unknown limit {{${name}}}`, {
      hint: `Add it to openapi/limits.yaml, or use one of ${Object.keys(document["x-limits"] ?? {}).join(", ")}.`,
    });
  };
  const fill = (value: unknown, path: string[]): unknown => {
    if (typeof value === "string")
      return value.replace(/\{\{(\w+)\}\}/g, (_, name: string) => number(name, path));
    if (Array.isArray(value)) return value.map((inner, index) => fill(inner, [...path, String(index)]));
    if (!isNode(value)) return value;
    return mapValues(value, (inner, key) => fill(inner, [...path, key]));
  };
  return fill(document, []) as OpenApiDocument;
}
