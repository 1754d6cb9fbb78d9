import { isNode, type Node, nodeOf, oncePerDocument, type Path, textOf } from "../document/values.ts";
import type { Use } from "./found.ts";

/** What a component is for, and which operations reach it. */
export interface Usage {
  uses: ReadonlySet<Use>;
  operations: ReadonlySet<string>;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Whether a key of a path item is a method. */
export const isMethod = (key: string): boolean => methods.includes(key);

/** What each component of a document (`schemas/Address`) is for, after every reference was followed. */
export const usagesOf = oncePerDocument(readUsages);

function readUsages(document: Node): Map<string, Usage> {
  const usages = new Map<string, { uses: Set<Use>; operations: Set<string> }>();
  // Each part is read once, however often it is reached.
  const inner = new Map<string, string[]>();
  const innerOf = (name: string): string[] => {
    const [kind = "", ...rest] = name.split("/");
    const known = inner.get(name) ?? componentsIn(nodeOf(nodeOf(document.components)[kind])[rest.join("/")]);
    inner.set(name, known);
    return known;
  };
  const visit = (value: unknown, use: Use | undefined, operation: string | undefined): void => {
    for (const name of componentsIn(value)) reach(name, use, operation);
  };
  const reach = (name: string, given: Use | undefined, operation: string | undefined): void => {
    const use = given ?? useOfKind(name);
    const known = usages.get(name) ?? { uses: new Set<Use>(), operations: new Set<string>() };
    const isNew =
      (use !== undefined && !known.uses.has(use)) ||
      (operation !== undefined && !known.operations.has(operation));
    usages.set(name, known);
    if (use !== undefined) known.uses.add(use);
    if (operation !== undefined) known.operations.add(operation);
    if (isNew) for (const part of innerOf(name)) reach(part, use, operation);
  };
  for (const { operation, item, id } of operationsOf(document)) {
    visit([operation.parameters, item.parameters, operation.requestBody], "request", id);
    visit([operation.responses], "answer", id);
  }
  visit(document["x-gateway-responses"], "answer", undefined);
  // Headers and parameters that no operation names still say what they are for.
  for (const kind of ["parameters", "headers", "responses"]) {
    for (const name of Object.keys(nodeOf(nodeOf(document.components)[kind]))) {
      if (!usages.has(`${kind}/${name}`)) reach(`${kind}/${name}`, undefined, undefined);
    }
  }
  return usages;
}

/** The components that a value refers to by itself, as `schemas/Address`. */
function componentsIn(value: unknown, found: string[] = []): string[] {
  if (Array.isArray(value)) for (const item of value) componentsIn(item, found);
  if (!isNode(value)) return found;
  for (const key in value) {
    const part = value[key];
    if (key !== "$ref") componentsIn(part, found);
    else if (textOf(part).startsWith("#/components/")) found.push(textOf(part).slice("#/components/".length));
  }
  return found;
}

const useOfKind = (name: string): Use | undefined =>
  name.startsWith("parameters/") ? "request" : /^(headers|responses)\//.test(name) ? "answer" : undefined;

/** Every operation of a document, with its address, its method and its id. */
export function* operationsOf(
  document: Node,
): Generator<{ address: string; method: string; item: Node; operation: Node; id: string }> {
  for (const [address, value] of Object.entries(nodeOf(document.paths))) {
    const item = nodeOf(value);
    for (const [method, operation] of Object.entries(item)) {
      if (!isMethod(method) || !isNode(operation)) continue;
      yield { address, method, item, operation, id: textOf(operation.operationId) || `${method} ${address}` };
    }
  }
}

/** The operations that a place of the bundle belongs to, by id. */
export function operationsAt(documents: Node[], usages: Map<string, Usage>[], path: Path): string[] {
  const [top, second, third] = path.map(String);
  const found = new Set<string>();
  if (top === "components") {
    for (const usage of usages)
      for (const id of usage.get(`${second}/${third}`)?.operations ?? []) found.add(id);
  }
  if (top === "paths") {
    for (const { address, method, id } of documents.flatMap((document) => [...operationsOf(document)])) {
      if (address === second && (third === undefined || !isMethod(third) || third === method)) found.add(id);
    }
  }
  return [...found];
}
