import { marks, unspecifiedPlaces } from "../../../scripts/document/requirements.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "x-leaves-unspecified names rows of x-unspecified.",
  *check(document) {
    const known = new Set(unspecifiedPlaces(document).map(({ id }) => id));
    for (const { path, id } of marks(document, "x-leaves-unspecified"))
      if (!known.has(id))
        yield {
          path,
          message: `Correct ${id} in x-leaves-unspecified, or add a row with this id to x-unspecified.`,
        };
  },
};
