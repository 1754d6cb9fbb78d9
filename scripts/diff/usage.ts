import { pathOf, pointerOf, valueAt } from "../document/json-pointer.ts";
import { isMethod, operationsOf, tagsOf } from "../document/operations.ts";
import { follow } from "../document/references.ts";
import { requirementRows } from "../document/requirements.ts";
import {
  everyText,
  listOf,
  type Node,
  nodeOf,
  oncePerDocument,
  type Path,
  textOf,
  textsOf,
} from "../document/values.ts";
import type { Change, Direction } from "./change.ts";

/** The directions in which a component is used, and the ids of the operations that use it. */
export interface Usage {
  directions: Set<Direction>;
  operations: Set<string>;
}

/** The usage of each component (`schemas/Address`), through any number of `$ref`s. */
export const usagesOf = oncePerDocument((document): Map<string, Usage> => {
  const usages = new Map<string, Usage>();
  const components = nodeOf(document.components);
  const inner = new Map(
    Object.entries(components).flatMap(([kind, all]) =>
      Object.entries(nodeOf(all)).map(([name, component]) => [`${kind}/${name}`, referencesIn(component)]),
    ),
  );
  const reach = (name: string, direction: Direction, operation?: string): void => {
    const usage = usages.get(name) ?? { directions: new Set(), operations: new Set() };
    usages.set(name, usage);
    const size = usage.directions.size + usage.operations.size;
    usage.directions.add(direction);
    if (operation !== undefined) usage.operations.add(operation);
    if (usage.directions.size + usage.operations.size === size) return;
    for (const part of inner.get(name) ?? []) reach(part, direction, operation);
  };
  for (const { operation, path, id } of operationsOf(document)) {
    const item = follow(document, [], nodeOf(document.paths)[path]).value;
    const request = [operation.parameters, item.parameters, operation.requestBody];
    for (const component of referencesIn(request)) reach(component, "request", id);
    for (const component of referencesIn(operation.responses)) reach(component, "response", id);
    const schemes = listOf(operation.security ?? document.security).flatMap((one) =>
      Object.keys(nodeOf(one)),
    );
    for (const scheme of schemes) reach(`securitySchemes/${scheme}`, "request", id);
  }
  for (const component of referencesIn(document["x-gateway-responses"])) reach(component, "response");
  // The direction of a component that no operation uses follows from its kind.
  const kinds = { parameters: "request", headers: "response", responses: "response" } as const;
  for (const [kind, direction] of Object.entries(kinds))
    for (const name of Object.keys(nodeOf(components[kind])))
      if (!usages.has(`${kind}/${name}`)) reach(`${kind}/${name}`, direction);
  return usages;
});

/** The components that a value refers to directly, as `schemas/Address`. */
const referencesIn = (value: unknown): string[] =>
  everyText({ value })
    .filter(({ path, text }) => path.at(-1) === "$ref" && text.startsWith("#/components/"))
    .map(({ text }) => text.split("/").slice(2, 4).join("/"));

/** The name of a property that has a component, and that a request must have; undefined if there is none. */
export function requiredAs(document: Node, component: Path): string | undefined {
  for (const { path, text } of everyText(document)) {
    const at = path.lastIndexOf("properties");
    const [name, ...within] = path.slice(at + 1, -1);
    if (at < 0 || path.at(-1) !== "$ref" || text !== `#${pointerOf(component)}`) continue;
    const isWhole = within.every((step) => step === "allOf" || typeof step === "number");
    const required = textsOf(valueAt(document, [...path.slice(0, at), "required"]));
    const usage = usagesOf(document).get(path.slice(1, 3).join("/"));
    const isSent = path.includes("requestBody") || usage?.directions.has("request");
    if (isWhole && isSent && required.includes(String(name))) return String(name);
  }
  return undefined;
}

export function affectedOperations({ path, document, name }: Change, base: Node, revision: Node): string[] {
  const all = [...new Set([base, revision].flatMap(operationsOf).map(({ id }) => id))];
  const top = String(path[0]);
  if (["servers", "security"].includes(top)) return all;
  if (["paths", "components"].includes(top)) return operationsAt([base, revision], path);
  // An operation that a row of a table gained or lost.
  if (all.includes(name)) return [name];
  // Only a removed item has its index in the base.
  const isRemoved = document === "base" && typeof path.at(-1) === "number";
  const found = isRemoved ? operationsOfRow(base, path) : operationsOfRow(revision, path);
  return found ?? operationsOfRow(base, path) ?? [];
}

/** The operations that the nearest row around a path names: directly, by a schema or a tag, or by the requirements that it encodes. */
function operationsOfRow(document: Node, path: Path): string[] | undefined {
  for (let length = path.length; length > 1; length -= 1) {
    const row = nodeOf(valueAt(document, path.slice(0, length)));
    if (Array.isArray(row.operations)) return textsOf(row.operations);
    if (typeof row.schema === "string") return operationsAt([document], pathOf(row.schema));
    if (path[0] === "tags" && length === 2)
      return operationsOf(document)
        .filter((placed) => tagsOf(placed).includes(textOf(row.name)))
        .map(({ id }) => id);
  }
  const encoded = textsOf(nodeOf(valueAt(document, path.slice(0, 2)))["x-encodes"]);
  if (encoded.length === 0) return undefined;
  const named = requirementRows(document).filter(({ row }) => encoded.includes(textOf(row.id)));
  return [...new Set(named.flatMap(({ row }) => textsOf(row.operations)))];
}

/** The ids of the operations that a path below `paths` or `components` affects. */
function operationsAt(documents: Node[], path: Path): string[] {
  const [top, second, third] = path.map(String);
  if (top === "components") {
    const used = documents.flatMap((one) => [...(usagesOf(one).get(`${second}/${third}`)?.operations ?? [])]);
    return [...new Set(used)];
  }
  const isWhole = third === undefined || !isMethod(third);
  const affected = documents
    .flatMap((one) => operationsOf(one))
    .filter(({ path: template, method }) => template === second && (isWhole || method === third));
  return top === "paths" ? [...new Set(affected.map(({ id }) => id))] : [];
}
