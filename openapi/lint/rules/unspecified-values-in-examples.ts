import { examplesOf, mediaTypes } from "../../../scripts/document/media-types.ts";
import { isLeftUnspecified } from "../../../scripts/document/requirements.ts";
import { describedValues } from "../../../scripts/document/schemas.ts";
import { nodeOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(mediaTypes, {
  description: "In examples, a text whose values are unspecified reads `unspecified`.",
  *check({ path, media }, document) {
    const schema = { path: [...path, "schema"], value: nodeOf(media.schema) };
    for (const { path: place, example } of examplesOf(document, path, media)) {
      const described = describedValues(document, schema, {
        path: [...place, "value"],
        value: example.value,
      });
      for (const { path: at, value, schema: found } of described)
        if (
          typeof value === "string" &&
          value !== "unspecified" &&
          found.value["x-extensible-enum"] === undefined &&
          isLeftUnspecified(document, found.value, [...found.path, "enum"])
        )
          yield {
            path: at,
            message: `Write unspecified instead of ${value}: the service does not specify the values.`,
          };
    }
  },
});
