import { valueAt } from "../../../scripts/document/json-pointer.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { nodeOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

/** Enums to which values may be added within the version (Versioning 2). */
const growing = ["ErrorType", "EventType"];

export const rule: Rule = {
  description: "Error types and event types are extensible: their known values are listed, not enforced.",
  *check(document) {
    for (const name of growing) {
      const path = ["components", "schemas", name];
      const schema = valueAt(document, path);
      if (schema !== undefined && !Array.isArray(nodeOf(schema)["x-extensible-enum"]))
        yield { path, message: `Add x-extensible-enum with the known values to ${name}.` };
    }
    for (const { path, schema, name } of schemas(document))
      for (const keyword of ["enum", "const"]) {
        const open = schema["x-extensible-enum"] !== undefined || growing.includes(name);
        if (open && schema[keyword] !== undefined)
          yield {
            path: [...path, keyword],
            message: `Remove ${keyword} from ${name}: more values may be added at any time.`,
          };
      }
  },
};
