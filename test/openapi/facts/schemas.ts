import { entriesOf, type Node, nodeOf } from "../../../scripts/document/values.ts";
import { type Facts, fields, shape } from "./shape.ts";

/** What the document says of each named schema (`""`) and of its fields. */
export const readSchemas = (document: Node): Facts =>
  Object.fromEntries(
    entriesOf(nodeOf(document.components).schemas).map(([name, schema]) => [
      name,
      { "": shape(schema), ...fields(schema) },
    ]),
  );
