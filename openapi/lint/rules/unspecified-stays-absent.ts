import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { existing, unspecifiedPlaces } from "../../../scripts/document/requirements.ts";
import type { Node, Path } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

/** The last name of the path, or the value if it is an item of a list. */
const display = (document: Node, path: Path): string => {
  const name = path.at(-1);
  return typeof name === "number" ? JSON.stringify(valueAt(document, path)) : String(name);
};

export const rule = ruleForEach(unspecifiedPlaces, {
  description: "Nothing defines what is unspecified.",
  *check({ id, text, absent }, document) {
    for (const pattern of absent)
      for (const path of existing(document, pattern))
        yield { path, message: `Remove ${display(document, path)}: ${id} leaves it unspecified (${text})` };
  },
});
