import type { DocumentValidators, OpenApiDocument, Schema } from "../../../../contract/document.ts";
import type { Case } from "../../../../contract/generated-cases/case.ts";
import { deriveCases } from "../../../../contract/generated-cases/derive.ts";

export const always: DocumentValidators = { isValid: () => true, accepts: () => false };

/** The cases of one operation with this body schema and these examples. */
export function derived(
  schema: Schema,
  examples: unknown[],
  {
    schemas = {},
    validators = always,
  }: { schemas?: Record<string, Schema>; validators?: DocumentValidators } = {},
): Case[] {
  const named = Object.fromEntries(examples.map((value, index) => [`number_${index}`, { value }]));
  const content = { "application/json": { schema, examples: named } };
  const post = { operationId: "post", requestBody: { content }, responses: {} };
  return deriveCases(
    { paths: { "/": { post } }, components: { schemas } } as unknown as OpenApiDocument,
    validators,
  );
}

/** The expected result and the body of each case for a keyword. */
export const results = (cases: Case[], keyword: string): [boolean, unknown][] =>
  cases.filter((one) => one.keyword === keyword).map(({ accepted, body }) => [accepted, body]);

export const object = (properties: Record<string, Schema>, rest: Schema = {}): Schema => ({
  type: "object",
  properties,
  ...rest,
});
