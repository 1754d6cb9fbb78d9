import type { Needs } from "../../generated/schema-types.ts";
import { isTree } from "../../lib/objects.ts";
import { pathOf, pointerOf, valueAt } from "../document/json-pointer.ts";
import { operationsOf, parametersOf } from "../document/operations.ts";
import { follow } from "../document/references.ts";
import { type Node, nodeOf, type Path, textOf, textsOf } from "../document/values.ts";
import type { Difference } from "./comparison.ts";

/** The needs that a change at each JSON Pointer concerns: none at a place that an application does not use. */
type Places = Map<string, Set<string>>;

/** What finds the needs that a difference between two documents concerns. */
export function concernsOf(needs: Needs, base: Node, revision: Node) {
  const documents = { base, revision };
  const places = { base: placesOf(base, needs, base), revision: placesOf(revision, needs, base) };
  return ({ pointer, document, operations, renamed }: Difference): string[] => {
    const path = pathOf(pointer);
    const [top = ""] = path;
    if (["paths", "components"].includes(top) && path[1] !== "securitySchemes") {
      const needsAt = (all: Places, at: Path) =>
        around(at).flatMap((one) => all.get(pointerOf(one)) ?? [])[0] ?? [];
      const old = renamed === undefined ? [] : needsAt(places.base, [...path.slice(0, -1), renamed]);
      return [...new Set([...needsAt(places[document], path), ...old])];
    }
    const nodes = around(path).map((one) => nodeOf(valueAt(documents[document], one)));
    const row = nodes.find((one) => "id" in one);
    if (top === "x-requirements") return needs.requirements.filter((id) => id === row?.id);
    const used = needs.operations.filter((id) => operations.includes(id));
    if (top !== "x-errors") return used;
    return needs.errors.filter((error) => used.some((id) => error === `${id} ${row?.status} ${row?.type}`));
  };
}

/** A path and those of what is around it, the inner ones first. */
const around = (path: Path): Path[] => path.map((_, index) => path.slice(0, path.length - index));

/** The state of a walk through an operation. */
interface At {
  /** The id of the operation, in the base if it is there. */
  id: string;
  /** The responses of the base. */
  known: Node;
  /** What the application uses; undefined: it does not use it. */
  need: string | undefined;
  /** The names of a property within a body, with `*` for those of entries. */
  field: readonly string[];
  /** The properties that the application uses of the bodies in this direction. */
  properties: readonly string[];
}

/** Goes through everything below the operations that an application uses. */
function placesOf(document: Node, needs: Needs, base: Node): Places {
  const places: Places = new Map();
  /** @returns whether it is new there */
  const add = (path: Path, need: string | undefined): boolean => {
    const known = places.get(pointerOf(path)) ?? new Set();
    places.set(pointerOf(path), known);
    const isNew = need !== undefined && !known.has(need);
    if (isNew) known.add(need);
    return isNew;
  };
  const visit = (path: Path, given: unknown, at: At): void => {
    const found = follow(document, path, given);
    if (found.path !== path) add(path, at.need);
    if (!add(found.path, at.need)) return;
    for (const [key, value] of Object.entries(Array.isArray(given) ? given : found.value)) {
      if (!isTree(value) || key === "parameters") continue;
      const inner = [...found.path, key];
      const isOfEntries = key === "items" || key === "additionalProperties";
      const step = key === "properties" ? toProperty : key === "responses" ? toResponse : undefined;
      if (step === undefined) visit(inner, value, isOfEntries ? { ...at, field: [...at.field, "*"] } : at);
      else
        for (const [name, part] of Object.entries(value))
          visit([...inner, name], part, step(at, name, found.value));
    }
  };
  const toProperty = (at: At, name: string, schema: Node): At => {
    const field = [...at.field, name];
    const label = `${at.id} ${field.join(".")}`;
    // A request must have it, whether the application sends it or not.
    const isRequired = at.properties === needs.properties && textsOf(schema.required).includes(name);
    return { ...at, field, need: isRequired || at.properties.includes(label) ? label : undefined };
  };
  const toResponse = (at: At, status: string): At => {
    // A new success status is in place of the one that the application has, or beside it.
    const isNew = status.startsWith("2") && !Object.hasOwn(at.known, status);
    const need = needs.statuses.find((label) => label.startsWith(`${at.id} ${isNew ? 2 : status}`));
    return { ...at, need, properties: needs.responseProperties };
  };
  for (const placed of operationsOf(document)) {
    const { location, operation } = placed;
    const old = operationsOf(base).find((one) => one.path === placed.path && one.method === placed.method);
    const { id } = old ?? placed;
    const need = needs.operations.find((one) => one === id);
    const at = { id, known: nodeOf(old?.operation.responses), need, field: [] };
    add(location.slice(0, -1), need);
    visit(location, operation, { ...at, properties: needs.properties });
    for (const { path, value, listed } of need === undefined ? [] : parametersOf(document, placed)) {
      const label = `${id} ${textOf(value.name)}`;
      const isUsed = value.required === true || needs.parameters.includes(label);
      visit(path, value, { ...at, need: isUsed ? label : undefined, properties: [] });
      add(listed, isUsed ? label : undefined);
    }
  }
  return places;
}
