import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const places = (document: Node): { path: Path; node: Node; name: string }[] => [
  ...operationsOf(document).flatMap((place) => [
    { path: place.location, node: place.operation, name: place.id },
    ...parametersOf(document, place).map(({ path, value }) => ({
      path,
      node: value,
      name: `the parameter ${value.name}`,
    })),
  ]),
  ...schemas(document).map(({ path, schema, name }) => ({ path, node: schema, name })),
];

export const rule = ruleForEach(places, {
  description: "A deprecated operation, parameter or schema has x-deprecated with since and instead.",
  *check({ node, name }) {
    const { since, instead } = nodeOf(node["x-deprecated"]);
    const complete = /^\d{4}-\d{2}-\d{2}$/.test(textOf(since)) && textOf(instead) !== "";
    if (node.deprecated === true && !complete)
      yield `Add x-deprecated with since (YYYY-MM-DD) and instead to ${name}: it is deprecated.`;
    if (node.deprecated !== true && node["x-deprecated"] !== undefined)
      yield `Add deprecated: true to ${name}, or remove its x-deprecated.`;
  },
});
