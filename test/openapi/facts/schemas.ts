import { entriesOf, type Node, nodeOf } from "../../../scripts/document/values.ts";
import { type Facts, properties, shape } from "./shape.ts";

/** Each named schema: itself under `""`, and its properties by name. */
export const readSchemas = (document: Node): Facts =>
  Object.fromEntries(
    entriesOf(nodeOf(document.components).schemas).map(([name, schema]) => [
      name,
      { "": shape(schema), ...properties(schema) },
    ]),
  );
