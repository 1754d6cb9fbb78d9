import type { LimitRow } from "../../generated/schema-types.ts";
import { UserError } from "../../lib/user-error.ts";
import { pathOf, valueAt, valueAtPointer } from "./json-pointer.ts";
import type { OpenApiDocument } from "./types.ts";
import { entriesOf, type Node, nodeOf, oncePerDocument, type Path, textOf } from "./values.ts";

/** A limit that is a schema keyword. */
export interface SchemaLimit {
  name: string;
  /** The row of x-limits. */
  path: Path;
  /** The schema that it points to. */
  schema: Path;
  keyword: string;
  /** The value of the keyword; undefined if there is none. */
  value: unknown;
}

/** Every row of x-limits whose number is a schema keyword. */
export const schemaLimits = oncePerDocument((document): SchemaLimit[] =>
  entriesOf(document["x-limits"])
    .filter(([, row]) => row.keyword !== undefined)
    .map(([name, row]) => {
      const schema = pathOf(textOf(row.schema));
      const keyword = textOf(row.keyword);
      return {
        name,
        path: ["x-limits", name],
        schema,
        keyword,
        value: valueAt(document, [...schema, keyword]),
      };
    }),
);

/** The limits that point to the schema at the path. */
export const limitsAt = (document: Node, path: Path): SchemaLimit[] =>
  schemaLimits(document).filter(({ schema }) => schema.join("\n") === path.join("\n"));

/**
 * The number of a limit: its `value`, or the schema keyword that it points to.
 *
 * @throws UserError if there is no number at the pointer
 */
export function limitOf(document: OpenApiDocument, name: string, row: LimitRow): number {
  const { value, schema = "", keyword = "" } = row;
  const number = value ?? nodeOf(valueAtPointer(document, schema))[keyword];
  if (typeof number === "number") return number;
  throw new UserError(`openapi/limits.yaml: ${name}: there is no number at ${schema}/${keyword}`, {
    hint: "Point to a schema that has the keyword, or write the number as `value`.",
  });
}
