import { pathOf, valueAt } from "./json-pointer.ts";
import { entriesOf, type Node, oncePerDocument, type Path, textOf } from "./values.ts";

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

/** Every row of x-limits that points to a schema. */
export const schemaLimits = oncePerDocument((document): SchemaLimit[] =>
  entriesOf(document["x-limits"])
    .filter(([, row]) => typeof row.schema === "string")
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
