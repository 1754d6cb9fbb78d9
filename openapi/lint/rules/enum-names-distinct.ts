import { schemas } from "../../../scripts/document/schemas.ts";
import { listOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const names = "x-enum-varnames";

export const rule = ruleForEach(schemas, {
  description: "No two enums have a constant of the same name: in Go, for example, they share one namespace.",
  *check({ path, schema, name }, document) {
    const values = listOf(schema.enum);
    const given = schema[names];
    if (given !== undefined && listOf(given).length !== values.length)
      yield { path: [...path, names], message: `List one name for each value of ${name} in ${names}.` };
    if (given !== undefined) return;
    for (const other of schemas(document)) {
      if (other.schema === schema || other.schema[names] !== undefined) continue;
      const shared = values.filter((value) => listOf(other.schema.enum).includes(value));
      if (shared.length > 0)
        yield `Add ${names} to ${name} or ${other.name}: both have the value ${shared.join(" and ")}.`;
    }
  },
});
