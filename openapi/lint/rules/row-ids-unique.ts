import { nodeOf, type Path, rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every requirement and every unspecified place has an id of its own.",
  severity: "error",
  given: "$",
  *check(document) {
    const topics = Object.entries(nodeOf(document["x-requirements"]));
    const rows: [Path, unknown][] = [
      ...topics.flatMap(([topic, list]) =>
        rowsOf(list).map(([index, { id }]): [Path, unknown] => [["x-requirements", topic, index, "id"], id]),
      ),
      ...rowsOf(document["x-unspecified"]).map(([index, { id }]): [Path, unknown] => [
        ["x-unspecified", index, "id"],
        id,
      ]),
    ];
    const seen = new Set<unknown>();
    for (const [path, id] of rows) {
      if (seen.has(id))
        yield {
          path,
          message: `Give this row the next free id of its topic: ${textOf(id)} is an earlier row's.`,
        };
      seen.add(id);
    }
  },
};
