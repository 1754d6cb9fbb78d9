import { schemas } from "../../../scripts/document/schemas.ts";
import { textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

/** A title as the name of a type: `Send request` is `SendRequest`. */
const typeName = (title: string): string =>
  title.replaceAll(/(?:^|\s+)(\S)/g, (_, letter: string) => letter.toUpperCase());

export const rule = ruleForEach(schemas, {
  description: "The title of a component is its name in words: generators name types after either.",
  *check({ path, schema, name }) {
    if (schema.title === undefined) return;
    const isComponent = path.length === 3 && path[1] === "schemas";
    const place = [...path, "title"];
    if (!isComponent)
      yield { path: place, message: `Remove the title of ${name}, which is not a component.` };
    else if (typeName(textOf(schema.title)) !== name)
      yield { path: place, message: `Make the title of ${name} its name in words, or remove it.` };
  },
});
