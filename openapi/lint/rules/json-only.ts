import { mediaTypes } from "../../../scripts/document/media-types.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Bodies are JSON.",
  *check(document) {
    for (const { path, type, name } of mediaTypes(document))
      if (type !== "application/json")
        yield { path, message: `Change the media type ${type} of ${name} to application/json.` };
  },
};
