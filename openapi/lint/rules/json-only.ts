import { mediaTypes } from "../../../scripts/document/media-types.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(mediaTypes, {
  description: "Bodies are JSON.",
  *check({ type, name }) {
    if (type !== "application/json") yield `Change the media type ${type} of ${name} to application/json.`;
  },
});
