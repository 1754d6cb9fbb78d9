import type { LimitRow } from "../../generated/schema-types.ts";
import { UserError } from "../../lib/user-error.ts";
import { pathOf, valueAt, valueAtPointer } from "./json-pointer.ts";
import type { OpenApiDocument } from "./types.ts";
import { entriesOf, type Node, nodeOf, oncePerDocument, type Path, textOf } from "./values.ts";

/** Every row of x-limits whose number is a schema keyword, with the path of the schema that it points to. */
export const schemaLimits = oncePerDocument((document) =>
  entriesOf(document["x-limits"])
    .filter(([, row]) => row.keyword !== undefined)
    .map(([name, row]) => {
      const schema = pathOf(textOf(row.schema));
      const keyword = textOf(row.keyword);
      return {
        name,
        schema,
        keyword,
        /** Undefined if there is none. */
        value: valueAt(document, [...schema, keyword]),
      };
    }),
);

export const limitsAt = (document: Node, path: Path) =>
  schemaLimits(document).filter(({ schema }) => schema.join("\n") === path.join("\n"));

/**
 * The number of a limit: its `value`, or the schema keyword that it points to. Undefined if its size is unspecified.
 * @throws UserError if there is no number at the pointer
 */
export function limitOf(document: OpenApiDocument, name: string, row: LimitRow): number | undefined {
  const { value, schema = "", keyword } = row;
  if (keyword === undefined) return value;
  const number = nodeOf(valueAtPointer(document, schema))[keyword];
  if (typeof number === "number") return number;
  throw new UserError(`openapi/limits.yaml: ${name}: there is no number at ${schema}/${keyword}`, {
    hint: "Point to a schema that has the keyword, or write the number as `value`.",
  });
}
