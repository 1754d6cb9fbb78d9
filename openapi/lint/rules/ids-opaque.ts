import { operationsOf, parametersOf } from "../../../scripts/document/operations.ts";
import { follow, resolveSchema } from "../../../scripts/document/references.ts";
import { requirementTexts } from "../../../scripts/document/requirements.ts";
import { schemas } from "../../../scripts/document/schemas.ts";
import { type Node, nodeOf, type Path, textOf, textsOf } from "../../../scripts/document/values.ts";
import { ruleForEach } from "../rule.ts";

const isId = (name: string | undefined): boolean => /(^|_)id$/.test(name ?? "");

const ids = (document: Node): { path: Path; schema: Node; name: string }[] => [
  ...schemas(document).filter(({ property }) => isId(property)),
  ...operationsOf(document)
    .flatMap((operation) => parametersOf(document, operation))
    .filter(({ value }) => isId(textOf(value.name)))
    .map(({ path, value }) => ({ path, schema: nodeOf(value.schema), name: `the parameter ${value.name}` })),
];

/** Whether the pattern is just the prefix (`x-prefix`), and a requirement that the schema encodes names that prefix. */
function isSpecifiedPrefix(document: Node, schema: Node, pattern: unknown): boolean {
  const places = [schema, follow(document, [], schema).value];
  const prefix = places.map((place) => textOf(place["x-prefix"])).find((text) => text !== "");
  if (prefix === undefined || pattern !== `^${prefix}.*$`) return false;
  const texts = places
    .flatMap((place) => textsOf(place["x-encodes"]))
    .map((id) => requirementTexts(document).get(id) ?? "");
  return texts.some((text) => text.includes(prefix));
}

export const rule = ruleForEach(ids, {
  description:
    "Ids are opaque: their schema has no constraint but a prefix (x-prefix) that a requirement names.",
  *check({ schema, name }, document) {
    const resolved = resolveSchema(document, schema);
    if (!textsOf(resolved.type).includes("string")) return;
    for (const keyword of ["pattern", "format", "minLength", "enum", "const"]) {
      const value = resolved[keyword];
      if (value === undefined || (keyword === "pattern" && isSpecifiedPrefix(document, schema, value)))
        continue;
      yield `Remove ${keyword} from ${name}: ids are opaque, apart from a prefix that a requirement names.`;
    }
  },
});
