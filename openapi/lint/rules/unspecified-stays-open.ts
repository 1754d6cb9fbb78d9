import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { existing, unspecifiedPlaces } from "../../../scripts/document/unspecified.ts";
import type { Node, Path } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** The name of what stands there, or what it says where it is an entry of a list. */
const told = (document: Node, path: Path): string => {
  const name = path.at(-1);
  return typeof name === "number" ? JSON.stringify(valueAt(document, path)) : String(name);
};

export const rule: Rule = {
  description: "Nothing gives a value to what the service leaves open.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { id, text, absent } of unspecifiedPlaces(document))
      for (const pattern of absent)
        for (const path of existing(document, pattern))
          yield { path, message: `Remove ${told(document, path)}: ${id} leaves it open (${text})` };
  },
};
