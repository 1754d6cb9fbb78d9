import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

export const rule = ruleForEach(schemas, {
  description: "The title of a component is its name: generators name types after either.",
  *check({ path, schema, name }) {
    if (schema.title === undefined) return;
    const isComponent = path.length === 3 && path[1] === "schemas";
    const place = [...path, "title"];
    if (!isComponent)
      yield { path: place, message: `Remove the title of ${name}, which is not a component.` };
    else if (textOf(schema.title) !== name)
      yield { path: place, message: `Make the title of ${name} its name, or remove it.` };
  },
});
