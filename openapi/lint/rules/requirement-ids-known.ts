import { marks } from "../../../scripts/document/requirements.ts";
import { nodeOf, rowsOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "x-encodes names requirements that exist.",
  *check(document) {
    const rows = Object.values(nodeOf(document["x-requirements"])).flatMap(rowsOf);
    const known = new Set(rows.map(([, row]) => row.id));
    for (const { path, id } of marks(document, "x-encodes"))
      if (!known.has(id))
        yield { path, message: `Correct ${id} in x-encodes, or add a row with this id to x-requirements.` };
  },
};
