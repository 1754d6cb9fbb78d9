import { schemas } from "../../../scripts/document/schemas.ts";
import type { Rule } from "../rule.ts";

/** Keywords after draft 7, which the mock and several renderers silently ignore. */
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
  description: "Schemas use no keyword that mocks and renderers silently ignore.",
  *check(document) {
    if (document.jsonSchemaDialect !== undefined)
      yield {
        path: ["jsonSchemaDialect"],
        message: "Remove jsonSchemaDialect: it makes the mock accept everything.",
      };
    for (const { path, schema, name } of schemas(document))
      for (const keyword of unknown)
        if (schema[keyword] !== undefined && schema[keyword] !== false)
          yield {
            path: [...path, keyword],
            message: `Replace ${keyword} of ${name} by if, then, not, required or items: mocks ignore it.`,
          };
  },
};
