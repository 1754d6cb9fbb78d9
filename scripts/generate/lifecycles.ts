import { mapValues } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { constant, literal } from "../document/typescript.ts";
import { isNode } from "../document/values.ts";

export function lifecyclesFile(document: OpenApiDocument): string {
  const lifecycles = mapValues(
    withoutExtensions(document["x-lifecycles"]),
    ({ description, schema, unspecified = [], records = [], transitions }, name) => {
      const states = statesOf(document, name, schema);
      return { description, states, unspecified, records, transitions };
    },
  );
  const { domain, recipients } = withoutExtensions(document["x-simulator"]);
  return (
    `${lifecyclesComment}export const lifecycles = ${literal(lifecycles)} as const;\n\n` +
    constant("simulator", "The simulated recipients. Messages to them never leave the mail network.", {
      domain,
      recipients,
    })
  );
}

const lifecyclesComment = `/**
 * The lifecycles by record name: states and the transitions between them. \`from\` is null if the record is created, \`to\` if the state is
 * unchanged or unspecified. \`records\` have the states in which a property is set, and in which it is null; other states are unspecified.
 */
`;

/** The states of a record, from the schema of its status. @throws UserError if the schema has no enum */
export function statesOf(document: OpenApiDocument, name: string, pointer: string): unknown[] {
  const schema = valueAtPointer(document, pointer);
  if (isNode(schema) && Array.isArray(schema.enum)) return schema.enum;
  throw new UserError(`openapi/lifecycles.yaml: ${name}: there is no enum at ${pointer}`, {
    hint: "Point `schema` at the schema that lists the states.",
  });
}

const withoutExtensions = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (key, inner) => (key.startsWith("x-") ? undefined : inner));
