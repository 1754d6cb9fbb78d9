import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

/** Keywords after draft 7, which the mock and several renderers pass over in silence. */
const unknown = [
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
  "prefixItems",
  "minContains",
  "maxContains",
  "$dynamicRef",
];

export const rule: Rule = {
  description:
    "Schemas say what they mean with keywords that mocks and renderers do not pass over in silence.",
  severity: "error",
  given: "$",
  *check(document) {
    if (document.jsonSchemaDialect !== undefined)
      yield {
        path: ["jsonSchemaDialect"],
        message: "Remove jsonSchemaDialect: with it the mock accepts everything.",
      };
    for (const { path, schema, name } of schemas(document))
      for (const keyword of unknown)
        if (schema[keyword] !== undefined && schema[keyword] !== false)
          yield {
            path: [...path, keyword],
            message: `Say ${keyword} of ${name} with if, then, not, required or items: mocks ignore it.`,
          };
  },
};
