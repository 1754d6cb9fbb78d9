import { pointerOf } from "../../../scripts/document/json-pointer.ts";
import { existing, unspecifiedPlaces } from "../../../scripts/document/requirements.ts";
import { ruleForEach } from "../rule.ts";

/** How many segments of a pointer name the part of the document that it goes into. */
const owners: Record<string, number> = { paths: 3, components: 3 };

export const rule = ruleForEach(unspecifiedPlaces, {
  description: "The parent of every path that must stay absent exists.",
  *check({ id, absent }, document) {
    for (const pattern of absent) {
      const owner = pattern.slice(0, owners[pattern[0] ?? ""] ?? 0);
      if (pattern.length > owner.length && existing(document, owner).length === 0)
        yield `Correct ${pointerOf(pattern)} in absent of ${id}: there is no ${pointerOf(owner)}.`;
    }
  },
});
