import { operations, parametersOf } from "../document/operations.ts";
import { follow, resolveSchema } from "../document/references.ts";
import { requirementTexts } from "../document/requirements.ts";
import { schemas } from "../document/schemas.ts";
import { type Node, nodeOf, type Path, textOf, textsOf } from "../document/values.ts";
import type { Rule } from "../rule.ts";

const isId = (name: string | undefined): boolean => /(^|_)id$/.test(name ?? "");

const ids = (document: Node): [Path, Node, string][] => [
  ...schemas(document)
    .filter(({ property }) => isId(property))
    .map(({ path, schema, name }): [Path, Node, string] => [path, schema, name]),
  ...operations(document)
    .flatMap((operation) => parametersOf(document, operation))
    .filter(({ value }) => isId(textOf(value.name)))
    .map(({ path, value }): [Path, Node, string] => [
      path,
      nodeOf(value.schema),
      `the parameter ${value.name}`,
    ]),
];

/** The patterns of the prefixes that the requirements which the schema encodes promise: "begins with sched_". */
const promised = (document: Node, schema: Node): string[] =>
  [schema, follow(document, [], schema).value]
    .flatMap((place) => textsOf(place["x-encodes"]))
    .flatMap((id) => [...(requirementTexts(document).get(id) ?? "").matchAll(/\bbegins with ([\w-]+)/g)])
    .map(([, prefix]) => `^${prefix}`);

export const rule: Rule = {
  description: "Ids are opaque: nothing is said of their shape but a prefix that a requirement promises.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const [path, schema, name] of ids(document)) {
      const resolved = resolveSchema(document, schema);
      if (!textsOf(resolved.type).includes("string")) continue;
      for (const keyword of ["pattern", "format", "minLength", "enum", "const"]) {
        const value = resolved[keyword];
        if (
          value === undefined ||
          (keyword === "pattern" && promised(document, schema).includes(textOf(value)))
        )
          continue;
        yield {
          path,
          message: `Remove ${keyword} from ${name}: ids are opaque, only a prefix that a requirement promises may be told.`,
        };
      }
    }
  },
};
