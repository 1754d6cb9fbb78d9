import { UserError } from "../../../lib/user-error.ts";
import type { Schema } from "../../document/types.ts";
import { code, either } from "../markdown.ts";

/**
 * What an object may not have, and what one field asks of another, in words.
 *
 * @throws Failure for a condition of another form than those that this document uses
 */
export function conditions({ not, if: condition, then: consequence }: Schema): string {
  const sentences: string[] = [];
  if (condition !== undefined) sentences.push(consequenceWords(condition as Schema, consequence as Schema));
  if (not !== undefined) sentences.push(`goes without ${either(absent(not as Schema).map(code))}`);
  return sentences.join("; ");
}

function consequenceWords(condition: Schema, consequence: Schema): string {
  const missing = either(absent((condition.not ?? {}) as Schema).map(code));
  const needed = either(onlyRequired(consequence).map(code));
  return `needs ${needed} where ${missing} is left out`;
}

/** The fields of `{ required: [a] }`, or of each of `{ anyOf: [{ required: [a] }, ...] }`. */
const absent = (schema: Schema): string[] =>
  schema.anyOf === undefined ? onlyRequired(schema) : schema.anyOf.flatMap(onlyRequired);

function onlyRequired(schema: Schema): string[] {
  if (schema.required?.length === 1 && Object.keys(schema).length === 1) return schema.required;
  throw new UserError(`the reference has no words for the condition ${JSON.stringify(schema)}`, {
    hint: "Give it a sentence in scripts/docs/schema/conditions.ts.",
  });
}
