import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

/** Validators compile patterns with the `u` flag; some silently disable validation if one does not compile. */
const compiles = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

export const rule = ruleForEach(schemas, {
  description: "Patterns are valid with the flag u and written in ASCII.",
  *check({ path, schema, name }) {
    const { pattern } = schema;
    if (typeof pattern !== "string") return;
    const place = [...path, "pattern"];
    if (!compiles(pattern))
      yield {
        path: place,
        message: `Correct the pattern of ${name}: it is not a regular expression with the flag u.`,
      };
    if (/[^\x20-\x7e]/.test(pattern))
      yield { path: place, message: `Use ASCII with \\u escapes in the pattern of ${name}.` };
  },
});
