import { nodeOf, type Path, rowsOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every requirement and every unspecified item has a unique id.",
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
          message: `Change the id of this row to the next free one of its topic: an earlier row has ${textOf(id)}.`,
        };
      seen.add(id);
    }
  },
};
