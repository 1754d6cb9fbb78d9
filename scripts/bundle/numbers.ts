import { mapValues } from "../../lib/map-values.ts";
import { UserError } from "../../lib/user-error.ts";
import { pointerOf } from "../document/json-pointer.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { isNode } from "../document/values.ts";
import { limitOf } from "./limit.ts";

const place = /\{\{(\w+)\}\}/g;

/**
 * The document with its numbers put into its prose: `{{idempotencyWindow}}` in a text becomes the number of that row of
 * the limits. So a sentence can name a number that stands in one place only.
 *
 * @throws Failure that names the place when there is no limit of that name
 */
export function withNumbers(document: OpenApiDocument): OpenApiDocument {
  const number = (name: string, path: string[]): string => {
    const row = document["x-limits"]?.[name];
    if (row !== undefined) return String(limitOf(document, name, row));
    throw new UserError(
      `${pointerOf(path)} names the limit {{${name}}}, and openapi/limits.yaml has no such row`,
      {
        hint: `The rows are ${Object.keys(document["x-limits"] ?? {}).join(", ")}.`,
      },
    );
  };
  const fill = (value: unknown, path: string[]): unknown => {
    if (typeof value === "string") return value.replace(place, (_, name: string) => number(name, path));
    if (Array.isArray(value)) return value.map((inner, index) => fill(inner, [...path, String(index)]));
    if (!isNode(value)) return value;
    return mapValues(value, (inner, key) => fill(inner, [...path, key]));
  };
  return fill(document, []) as OpenApiDocument;
}
