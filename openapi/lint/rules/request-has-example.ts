import { mediaTypes } from "../../../scripts/document/media-types.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

export const rule: Rule = {
  description: "Every request body has an example.",
  *check(document) {
    for (const { path, media, name, direction } of mediaTypes(document))
      if (direction === "request" && entriesOf(media.examples).length === 0)
        yield { path, message: `Add a named example to ${name}.` };
  },
};
