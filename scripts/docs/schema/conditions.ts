import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { code, either } from "../text/markdown.ts";

/**
 * Describes `not`, and `if` with `then`: fields that exclude or require each other, or what a text must not contain.
 *
 * A condition that the request decides is shown as two variants of the fields (fields.ts).
 *
 * @throws UserError for any other form of condition
 */
export function describeConditions(schema: Schema): string | undefined {
  const { not, if: condition, then: consequence, else: alternative } = schema;
  const phrases: string[] = [];
  if (condition !== undefined && schema["x-variant-by-request"] === undefined) {
    if (alternative !== undefined) throw unknown({ else: alternative });
    const missing = requiredFields(((condition as Schema).not ?? {}) as Schema);
    phrases.push(`requires ${names(requiredFields(consequence as Schema))} if ${names(missing)} is missing`);
  }
  if (not !== undefined) phrases.push(exclusion(not as Schema));
  return phrases.join("; ") || undefined;
}

function exclusion(not: Schema): string {
  const { pattern, ...others } = not;
  if (pattern !== undefined && Object.keys(others).length === 0)
    return `must not match ${code(String(pattern))}`;
  return `must not have ${names(requiredFields(not))}`;
}

const names = (fields: string[]): string => either(fields.map(code));

/** The fields of `{ required: [a] }`, or of `{ anyOf: [{ required: [a] }, ...] }`. */
function requiredFields(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(requiredFields);
  const [keyword, ...others] = Object.keys(schema).filter((key) => !key.startsWith("x-"));
  if (schema.required?.length === 1 && keyword === "required" && others.length === 0) return schema.required;
  throw unknown(schema);
}

const unknown = (condition: Schema): UserError =>
  new UserError(`the reference cannot describe the condition ${JSON.stringify(condition)}`, {
    hint: "Describe it in scripts/docs/schema/conditions.ts.",
  });
