import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf, type Node } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const names = "x-enum-varnames";

/** What generators name the constants of an enum after. */
const constantsOf = (schema: Node): unknown[] => listOf(schema[names] ?? schema.enum);

export const rule = ruleForEach(schemas, {
  description: "No two enums have a constant of the same name: in Go, for example, they share one namespace.",
  *check({ path, schema, name }, document) {
    const constants = constantsOf(schema);
    if (constants.length !== listOf(schema.enum).length)
      yield { path: [...path, names], message: `List one name for each value of ${name} in ${names}.` };
    for (const other of schemas(document)) {
      if (other.schema === schema) continue;
      const shared = constants.filter((constant) => constantsOf(other.schema).includes(constant));
      if (shared.length > 0)
        yield `Name the values of ${name} or ${other.name} with ${names}: both have ${shared.join(" and ")}.`;
    }
  },
});
