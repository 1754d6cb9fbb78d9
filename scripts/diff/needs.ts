import type { Needs } from "../../generated/schema-types.ts";
import { isTree } from "../../lib/objects.ts";
import { pathOf, pointerOf, valueAt } from "../document/json-pointer.ts";
import { operationsOf, type PlacedNode, parametersOf } from "../document/operations.ts";
import { follow } from "../document/references.ts";
import { type Node, nodeOf, type Path, textOf, textsOf } from "../document/values.ts";
import type { Difference } from "./comparison.ts";

/** The needs that a change at each JSON Pointer concerns: none at a place that an application does not use. */
type Places = Map<string, Set<string>>;

/** What finds the needs that a difference between two documents concerns. */
export function concernsOf(needs: Needs, base: Node, revision: Node) {
  const documents = { base, revision };
  const places = { base: placesOf(base, needs), revision: placesOf(revision, needs) };
  return ({ pointer, document, operations }: Difference): string[] => {
    const path = pathOf(pointer);
    const [top = ""] = path;
    const around = path.map((_, index) => path.slice(0, path.length - index));
    if (["paths", "components"].includes(top))
      return [...(around.map((one) => places[document].get(pointerOf(one))).find(Boolean) ?? [])];
    const row = around.map((one) => nodeOf(valueAt(documents[document], one))).find((one) => "id" in one);
    if (top === "x-requirements") return needs.requirements.filter((id) => id === row?.id);
    const used = needs.operations.filter((id) => operations.includes(id));
    if (top !== "x-errors") return used;
    return needs.errors.filter((error) => used.some((id) => error === `${id} ${row?.status} ${row?.type}`));
  };
}

function placesOf(document: Node, needs: Needs): Places {
  const places: Places = new Map();
  for (const placed of operationsOf(document)) addOperation(document, placed, needs, places);
  return places;
}

/** The state of a walk through an operation. */
interface At {
  /** What the application uses; undefined: it does not use it. */
  need: string | undefined;
  /** The names of a property within a body, with `*` for those of entries. */
  field: readonly string[];
  /** The properties that the application uses of the bodies in this direction. */
  properties: readonly string[];
}

/** Goes through everything below an operation that an application uses. */
function addOperation(document: Node, placed: PlacedNode, needs: Needs, places: Places): void {
  const { id, location } = placed;
  const add = (path: Path, need: string | undefined): void => {
    const known = places.get(pointerOf(path)) ?? new Set();
    places.set(pointerOf(path), need === undefined ? known : known.add(need));
  };
  const visited = new Set<string>();
  const visit = (path: Path, given: unknown, at: At): void => {
    const found = follow(document, path, given);
    for (const one of [path, found.path]) add(one, at.need);
    const name = JSON.stringify([found.path, at.need]);
    if (at.need === undefined || visited.has(name)) return;
    visited.add(name);
    for (const [key, value] of Object.entries(Array.isArray(given) ? given : found.value)) {
      const inner = [...found.path, key];
      const isOfEntries = key === "items" || key === "additionalProperties";
      if (!isTree(value) || key === "parameters") continue;
      if (key === "properties") visitProperties(inner, value, textsOf(found.value.required), at);
      else if (key === "responses") visitResponses(inner, value);
      else visit(inner, value, isOfEntries ? { ...at, field: [...at.field, "*"] } : at);
    }
  };
  const visitProperties = (path: Path, all: object, required: string[], at: At): void => {
    for (const [name, property] of Object.entries(all)) {
      const field = [...at.field, name];
      const label = `${id} ${field.join(".")}`;
      // A request must have it, whether the application sends it or not.
      const isRequired = at.properties === needs.properties && required.includes(name);
      const isUsed = isRequired || at.properties.includes(label);
      visit([...path, name], property, { ...at, need: isUsed ? label : undefined, field });
    }
  };
  const visitResponses = (path: Path, all: object): void => {
    for (const [status, response] of Object.entries(all)) {
      const need = needs.statuses.find((label) => label === `${id} ${status}`);
      visit([...path, status], response, { need, field: [], properties: needs.responseProperties });
    }
  };
  const need = needs.operations.find((one) => one === id);
  add(location.slice(0, -1), need);
  visit(location, placed.operation, { need, field: [], properties: needs.properties });
  for (const { path, value } of need === undefined ? [] : parametersOf(document, placed)) {
    const label = `${id} ${textOf(value.name)}`;
    const isUsed = value.required === true || needs.parameters.includes(label);
    visit(path, value, { need: isUsed ? label : undefined, field: [], properties: [] });
  }
}
