import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";
import type { Rule } from "../rule.ts";

const places = (document: Node): [Path, Node, string][] => [
  ...operationsOf(document).flatMap((place): [Path, Node, string][] => [
    [place.location, place.operation, place.id],
    ...parametersOf(document, place).map(({ path, value }): [Path, Node, string] => [
      path,
      value,
      `the parameter ${value.name}`,
    ]),
  ]),
  ...schemas(document).map(({ path, schema, name }): [Path, Node, string] => [path, schema, name]),
];

export const rule: Rule = {
  description: "Whatever is deprecated says since when, and what to use instead.",
  *check(document) {
    for (const [path, node, name] of places(document)) {
      const { since, instead } = nodeOf(node["x-deprecated"]);
      const complete = /^\d{4}-\d{2}-\d{2}$/.test(textOf(since)) && textOf(instead) !== "";
      if (node.deprecated === true && !complete)
        yield {
          path,
          message: `Add x-deprecated with since (YYYY-MM-DD) and instead to ${name}: it is deprecated.`,
        };
      if (node.deprecated !== true && node["x-deprecated"] !== undefined)
        yield { path, message: `Add deprecated: true to ${name}, or remove its x-deprecated.` };
    }
  },
};
