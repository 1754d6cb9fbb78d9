import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { follow } from "../../../scripts/document/references.ts";
import { responses } from "../../../scripts/document/responses.ts";
import { entriesOf, type Located, type Node, nodeOf, textOf } from "../../../scripts/document/values.ts";
import type { Rule, RuleFinding } from "../rule.ts";

const owned = (document: Node): [string, Located][] => [
  ...operationsOf(document).flatMap((operation) =>
    parametersOf(document, operation).map((parameter): [string, Located] => [
      `the parameter ${textOf(parameter.value.name)}`,
      parameter,
    ]),
  ),
  ...responses(document).flatMap(({ path, response }) =>
    entriesOf(response.headers).map(([name, header]): [string, Located] => [
      `the header ${name}`,
      follow(document, [...path, "headers", name], header),
    ]),
  ),
  ...["parameters", "headers"].flatMap((kind) =>
    entriesOf(nodeOf(document.components)[kind]).map(([name, value]): [string, Located] => [
      `the ${kind.slice(0, -1)} ${textOf(value.name) || name}`,
      { path: ["components", kind, name], value },
    ]),
  ),
];

export const rule: Rule = {
  description: "Every parameter and header has a description and an example.",
  *check(document) {
    const places = new Map(owned(document).map((place) => [place[1].path.join("\n"), place]));
    for (const [name, { path, value }] of places.values()) {
      const missing = (what: string): RuleFinding => ({ path, message: `Add ${what} to ${name}.` });
      if (textOf(value.description).trim() === "") yield missing("a description");
      if (value.example === undefined && value.examples === undefined) yield missing("an example");
    }
  },
};
