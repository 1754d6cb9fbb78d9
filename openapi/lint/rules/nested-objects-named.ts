import { schemas } from "../../../scripts/document/schemas.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "An object inside another schema is a component: generators invent a name for an inline one.",
  *check({ path, schema, name, condition }) {
    const isComponent = path.length === 3 && path[0] === "components" && path[1] === "schemas";
    const isObject = schema.type === "object" || schema.properties !== undefined;
    if (!condition && !isComponent && isObject)
      yield `Move ${name} to a file in openapi/schemas/ and refer to it.`;
  },
});
