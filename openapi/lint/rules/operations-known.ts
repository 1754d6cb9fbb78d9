import { operationsOf } from "../../../scripts/document/operations.ts";
import { marks } from "../../../scripts/document/requirements.ts";
import {
  entriesOf,
  type Node,
  nodeOf,
  type Path,
  rowsOf,
  textsOf,
} from "../../../scripts/document/values.ts";
import type { Rule, RuleFinding } from "../rule.ts";

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

/** The operationIds in `x-operations` of headers. */
const inHeaders = (document: Node): { path: Path; name: string; header: unknown }[] =>
  marks(document, "x-operations").map(({ path, id }) => ({
    path,
    name: id,
    header: path[path.lastIndexOf("x-operations") - 1],
  }));

export const rule: Rule = {
  description: "Tables and headers name only operations that exist.",
  *check(document) {
    const known = new Set(operationsOf(document).map(({ id }) => id));
    for (const [path, row] of rows(document))
      for (const name of textsOf(row.operations))
        if (!known.has(name))
          yield finding([...path, "operations"], name, `the operations of ${row.id ?? path.at(-1)}`);
    for (const { path, name, header } of inHeaders(document))
      if (!known.has(name)) yield finding(path, name, `x-operations of the header ${header}`);
  },
};

const finding = (path: Path, name: string, list: string): RuleFinding => ({
  path,
  message: `Correct ${name} in ${list}: no operation has this operationId.`,
});
