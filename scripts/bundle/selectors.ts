import { mapValues } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { pointerOf } from "../document/json-pointer.ts";
import type { SourcePlace } from "../document/locate.ts";
import { operationsOf, type PlacedNode, parametersOf, tagsOf } from "../document/operations.ts";
import { follow } from "../document/references.ts";
import {
  entriesOf,
  isNode,
  type Node,
  nodeOf,
  type Path,
  rowsOf,
  textOf,
  textsOf,
} from "../document/values.ts";

/** The root extension that defines the selectors (`openapi/selectors.yaml`). The bundle does not keep it. */
const definitions = "x-operation-selectors";

/** A selector that cannot be expanded, before its place in the sources is known. */
class SelectorProblem extends Error {
  readonly path: Path;
  readonly hint: string;
  constructor(path: Path, message: string, hint: string) {
    super(message);
    this.path = path;
    this.hint = hint;
  }
}

/**
 * Replaces the operation selectors in `operations` and `x-operations` by lists of operationIds.
 * @param locate finds a JSON Pointer in the sources
 * @throws UserError with file, line and column for an unknown name and for a selector that selects nothing
 */
export async function expandSelectors(document: Node, locate: (pointer: string) => Promise<SourcePlace>) {
  try {
    const sets = new Map(operationsOf(document).map(({ id: name }) => [name, [name]]));
    for (const [name, definition] of Object.entries(nodeOf(document[definitions])))
      sets.set(name, selected(document, name, definition));
    const { [definitions]: _, ...rest } = document;
    return expanded(rest, [], sets) as Node;
  } catch (error) {
    if (!(error instanceof SelectorProblem)) throw error;
    const { file, line, column } = await locate(pointerOf(error.path));
    throw new UserError(`${file}:${line}:${column}: ${error.message}`, { hint: error.hint });
  }
}

/** What the conditions of a selector compare: the values that an operation has for each of them. */
function propertiesOf(document: Node, place: PlacedNode): Record<string, string[]> {
  const { path, method, operation } = place;
  const tags = rowsOf(document.tags).filter(([, tag]) => tagsOf(place).includes(textOf(tag.name)));
  const segments = path.split("/");
  const parameters = parametersOf(document, place);
  const body = follow(document, [], operation.requestBody).value;
  return {
    tag: tagsOf(place),
    product: tags.flatMap(([, tag]) => textsOf(tag["x-product"])),
    ability: rowsOf(operation.security).flatMap(([, scheme]) => Object.values(scheme).flatMap(textsOf)),
    method: [method],
    path: segments.map((_, index) => segments.slice(0, index + 1).join("/")),
    parameter: parameters.map(({ value }) => textOf(value.name)),
    query: parameters.filter(({ value }) => value.in === "query").map(({ value }) => textOf(value.name)),
    requestBody: entriesOf(body.content).map(([type]) => type),
  };
}

function selected(document: Node, name: string, definition: unknown): string[] {
  const problem = (what: string, hint: string) =>
    new SelectorProblem([definitions, name], `the selector ${name} ${what}`, hint);
  const alternatives = [definition].flat().map(nodeOf);
  const all = operationsOf(document);
  if (all.some((operation) => operation.id === name))
    throw problem("has the name of an operation", "Rename the selector.");
  const known = all.map((place) => ({ name: place.id, has: propertiesOf(document, place) }));
  for (const key of alternatives.flatMap(Object.keys))
    if (known[0] && !(key in known[0].has))
      throw problem(`has the unknown condition ${key}`, `Use ${Object.keys(known[0].has).join(", ")}.`);
  const meets = (has: Record<string, string[]>, conditions: Node): boolean =>
    Object.entries(conditions).every(([key, wanted]) =>
      wanted === true ? has[key]?.length : textsOf(wanted).some((value) => has[key]?.includes(value)),
    );
  const found = known.filter(({ has }) => alternatives.some((conditions) => meets(has, conditions)));
  if (found.length === 0) throw problem("selects no operation", "Correct or remove it.");
  return found.map((operation) => operation.name);
}

/** The value with every list of operations expanded. */
function expanded(value: unknown, path: Path, sets: Map<string, string[]>): unknown {
  if (Array.isArray(value)) return value.map((item, index) => expanded(item, [...path, index], sets));
  if (!isNode(value)) return value;
  return mapValues(value, (inner, key) => {
    const here = [...path, key];
    const lists = key === "x-operations" || (key === "operations" && String(path[0]).startsWith("x-"));
    if (!lists) return expanded(inner, here, sets);
    if (!Array.isArray(inner)) return setOf(inner, here, sets);
    return [...new Set(inner.flatMap((name, index) => setOf(name, [...here, index], sets)))];
  });
}

function setOf(name: unknown, path: Path, sets: Map<string, string[]>): string[] {
  const set = sets.get(String(name));
  if (set !== undefined) return set;
  throw new SelectorProblem(
    path,
    `no operation and no selector is called ${JSON.stringify(name)}`,
    "Use an operationId, or a selector of openapi/selectors.yaml.",
  );
}
