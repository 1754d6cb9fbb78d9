import { operations } from "../document/operations.ts";
import { entriesOf, type Node, nodeOf, type Path, rowsOf, textsOf } from "../document/values.ts";
import type { Rule } from "../rule.ts";

/** The rows of every table that lists operations. */
const rows = (document: Node): [Path, Node][] => [
  ...["x-errors", "x-unspecified"].flatMap((table) =>
    rowsOf(document[table]).map(([index, row]): [Path, Node] => [[table, index], row]),
  ),
  ...Object.entries(nodeOf(document["x-requirements"])).flatMap(([topic, list]) =>
    rowsOf(list).map(([index, row]): [Path, Node] => [["x-requirements", topic, index], row]),
  ),
  ...entriesOf(document["x-abilities"]).map(([name, row]): [Path, Node] => [["x-abilities", name], row]),
];

export const rule: Rule = {
  description: "Tables name only operations that exist.",
  severity: "error",
  given: "$",
  *check(document) {
    const known = new Set(operations(document).map(({ name }) => name));
    for (const [path, row] of rows(document))
      for (const name of textsOf(row.operations))
        if (!known.has(name))
          yield {
            path: [...path, "operations"],
            message: `Correct ${name} in the operations of ${row.id ?? path.at(-1)}: no operation has this operationId.`,
          };
  },
};
