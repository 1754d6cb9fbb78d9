import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { code, either } from "../text/markdown.ts";

/**
 * Describes `not`, and `if` with `then`: fields that exclude or require each other.
 *
 * @throws UserError for any other form of condition
 */
export function describeConditions({ not, if: condition, then: consequence }: Schema): string {
  const phrases: string[] = [];
  if (condition !== undefined) {
    const missing = requiredFields(((condition as Schema).not ?? {}) as Schema);
    phrases.push(`requires ${names(requiredFields(consequence as Schema))} if ${names(missing)} is missing`);
  }
  if (not !== undefined) phrases.push(`must not have ${names(requiredFields(not as Schema))}`);
  return phrases.join("; ");
}

const names = (fields: string[]): string => either(fields.map(code));

/** The fields of `{ required: [a] }`, or of `{ anyOf: [{ required: [a] }, ...] }`. */
function requiredFields(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(requiredFields);
  if (schema.required?.length === 1 && Object.keys(schema).length === 1) return schema.required;
  throw new UserError(`the reference cannot describe the condition ${JSON.stringify(schema)}`, {
    hint: "Describe it in scripts/docs/schema/conditions.ts.",
  });
}
