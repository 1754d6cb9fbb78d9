import { operations, parametersOf } from "../document/operations.ts";
import { resolveSchema } from "../document/references.ts";
import { schemas } from "../document/schemas.ts";
import { type Node, type Path, textOf, textsOf } from "../document/values.ts";
import type { Rule } from "../rule.ts";

/** The only shape of an id that is promised: scheduled messages. */
const promised = "^sched_";

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
      value.schema as Node,
      `the parameter ${value.name}`,
    ]),
];

export const rule: Rule = {
  description: "Ids are opaque: nothing is said of their shape but the prefix sched_ of scheduled messages.",
  severity: "error",
  given: "$",
  *check(document) {
    for (const [path, schema, name] of ids(document)) {
      const resolved = resolveSchema(document, schema);
      if (!textsOf(resolved.type).includes("string")) continue;
      for (const keyword of ["pattern", "format", "minLength", "enum", "const"])
        if (resolved[keyword] !== undefined && resolved[keyword] !== promised)
          yield {
            path,
            message: `Remove ${keyword} from ${name}: ids are opaque, only the prefix sched_ is promised.`,
          };
    }
  },
};
