import { existing, openPlaces } from "../document/unspecified.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Nothing gives a value to what the service leaves open.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const { id, text, absent } of openPlaces(document))
      for (const pattern of absent)
        for (const path of existing(document, pattern))
          yield { path, message: `Remove ${path.at(-1)}: ${id} leaves it open (${text})` };
  },
};
