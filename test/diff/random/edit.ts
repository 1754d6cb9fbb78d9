import type { Verdict } from "../../../scripts/diff/comparison.ts";
import { pointerOf, valueAt } from "../../../scripts/document/json-pointer.ts";
import { isNode, listOf, type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";

/** One edit of a document and its expected verdict. */
export interface RandomEdit {
  /** What it changes and where, for messages. */
  title: string;
  /** The path of the node that it changes. */
  path: Path;
  apply(document: Node): Node;
  /** The expected verdict; undefined: breaking or additive. */
  verdict: Verdict | undefined;
}

/** Makes an edit from a name and a number; undefined if the node does not allow it. */
export type EditMaker = (name: string, number: number) => RandomEdit | undefined;

/** Changes a node; undefined if the node does not allow it. */
export type Change = (node: Node) => Node | undefined;

/** A copy with another value at a path; everything else is shared. */
function updated(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(step), updated(value[Number(step)], rest, change));
  const node = value as Node;
  return { ...node, [step]: updated(node[step], rest, change) };
}

/** The edit that changes a node; undefined if the node does not allow it. */
export function editAt(
  title: string,
  document: Node,
  path: Path,
  change: Change,
  verdict: Verdict | undefined,
): RandomEdit | undefined {
  const node = path.reduce<unknown>((value, step) => (value as Node | undefined)?.[step], document) as Node;
  const changed = change(node);
  if (changed === undefined) return undefined;
  return {
    title: `${title} at ${pointerOf(path)}`,
    path,
    apply: (whole) => updated(whole, path, (one) => change(one as Node) ?? one) as Node,
    verdict,
  };
}

/** The verdict of an edit from that in requests and that in responses: the heavier one for a part that is used in both. */
export function verdictFor(
  { request, response }: Uses,
  inRequest: Verdict,
  inResponse: Verdict,
): Verdict | undefined {
  const verdicts = [...(request ? [inRequest] : []), ...(response ? [inResponse] : [])];
  return (["breaking", "additive", "editorial"] as const).find((one) => verdicts.includes(one));
}

/** The node without a key. */
export function without(node: Node, key: string): Node {
  const { [key]: _, ...rest } = node;
  return rest;
}

/** One entry of a list, by a number of any size; undefined of an empty list. */
export const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];

/** The directions in which a part of the document is used. */
interface Uses {
  request: boolean;
  response: boolean;
}

/** A schema of the document, wherever it stands. */
export interface SchemaPlace extends Uses {
  path: Path;
  /** Whether it is below `not` or a condition, where a wider schema may accept less. */
  isConstraint: boolean;
}

/** The uses of every component, computed independently of the comparison. */
function usesOfComponents(document: Node): (kind: string, name: string) => Uses {
  const reached = { request: new Set<string>(), response: new Set<string>() };
  const follow = (value: unknown, found: Set<string>): void => {
    for (const [reference] of JSON.stringify(value ?? null).matchAll(/#\/components\/\w+\/[\w-]+/g)) {
      if (found.has(reference)) continue;
      found.add(reference);
      follow(valueAt(document, reference.slice(2).split("/")), found);
    }
  };
  for (const { operation } of operationPlaces(document)) {
    follow([operation.parameters, operation.requestBody], reached.request);
    follow(operation.responses, reached.response);
  }
  follow(document["x-gateway-responses"], reached.response);
  return (kind, name) => {
    const reference = `#/components/${kind}/${name}`;
    return { request: reached.request.has(reference), response: reached.response.has(reference) };
  };
}

/** Every operation, and the path to it. */
export function operationPlaces(document: Node): { path: Path; operation: Node }[] {
  return Object.entries(nodeOf(document.paths)).flatMap(([path, item]) =>
    Object.entries(nodeOf(item)).flatMap(([method, operation]) =>
      isNode(operation) && "responses" in operation ? [{ path: ["paths", path, method], operation }] : [],
    ),
  );
}

/** Every schema that is not a `$ref`. */
export function schemaPlaces(document: Node): SchemaPlace[] {
  const usesOf = usesOfComponents(document);
  const components = nodeOf(document.components);
  const places = Object.entries(nodeOf(components.schemas)).flatMap(([name, schema]) =>
    within(schema, {
      path: ["components", "schemas", name],
      isConstraint: false,
      ...usesOf("schemas", name),
    }),
  );
  for (const kind of ["parameters", "headers"]) {
    for (const [name, part] of Object.entries(nodeOf(components[kind]))) {
      const path = ["components", kind, name, "schema"];
      places.push(...within(nodeOf(part).schema, { path, isConstraint: false, ...usesOf(kind, name) }));
    }
  }
  return places;
}

function within(schema: unknown, place: SchemaPlace): SchemaPlace[] {
  if (!isNode(schema) || textOf(schema.$ref) !== "") return [];
  const inner = (value: unknown, steps: Path, isConstraint = false): SchemaPlace[] =>
    within(value, {
      ...place,
      path: [...place.path, ...steps],
      isConstraint: place.isConstraint || isConstraint,
    });
  return [
    place,
    ...Object.entries(nodeOf(schema.properties)).flatMap(([name, one]) => inner(one, ["properties", name])),
    ...["items", "additionalProperties"].flatMap((key) => inner(schema[key], [key])),
    ...["oneOf", "anyOf"].flatMap((key) =>
      listOf(schema[key]).flatMap((one, index) => inner(one, [key, index])),
    ),
    ...["not", "if", "then", "else", "propertyNames"].flatMap((key) => inner(schema[key], [key], true)),
  ];
}
