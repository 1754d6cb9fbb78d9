import { mediaTypes } from "../../../scripts/document/media-types.ts";
import { entriesOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(mediaTypes, {
  description: "Every request body has an example.",
  *check({ media, name, direction }) {
    if (direction === "request" && entriesOf(media.examples).length === 0)
      yield `Add a named example to ${name}.`;
  },
});
