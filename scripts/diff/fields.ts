import { isNode, type Node, nodeOf, textsOf } from "../document/values.ts";
import { canonical, same } from "./found.ts";
import { compareSchema, kindOf, type SchemaPlace } from "./schema.ts";
import { isWording } from "./wording.ts";

/** The keywords that say which fields an object has, and what a list holds. */
export const fieldKeys = [
  "properties",
  "required",
  "additionalProperties",
  "unevaluatedProperties",
  "patternProperties",
  "items",
  "unevaluatedItems",
];

/** Compares the fields of two objects. A field that comes or goes is one difference, whether it is required or not. */
export function compareFields(place: SchemaPlace): void {
  const { walk, before, after, path, use } = place;
  const [old, young] = [nodeOf(before.properties), nodeOf(after.properties)];
  const [removed, added] = [missing(old, young), missing(young, old)];
  const renamed = renames(old, young, removed, added);
  for (const [from, to] of renamed) {
    const where = [...path, "properties", to];
    walk.report({
      kind: `${use}-field-renamed`,
      path: where,
      side: "new",
      name: to,
      before: from,
      after: to,
      effect: "other",
    });
  }
  const isRequired = (schema: Node, name: string): boolean => textsOf(schema.required).includes(name);
  for (const name of removed.filter((one) => !renamed.has(one))) {
    const where = [...path, "properties", name];
    walk.report({ kind: `${use}-field-removed`, path: where, side: "old", name, effect: "wider" });
  }
  const arrived = new Set(renamed.values());
  for (const name of added.filter((one) => !arrived.has(one))) {
    const obligation = use === "answer" ? "" : isRequired(after, name) ? "required-" : "optional-";
    const where = [...path, "properties", name];
    walk.report({
      kind: `${use}-${obligation}field-added`,
      path: where,
      side: "new",
      name,
      effect: "narrower",
    });
  }
  for (const name of Object.keys(old).filter((one) => one in young)) {
    compareSchema(walk, old[name], young[name], [...path, "properties", name], use);
  }
  compareRequired(place, new Set([...removed, ...added]));
  for (const key of ["additionalProperties", "unevaluatedProperties"]) compareOpenness(place, key);
  compareParts(place);
}

const missing = (here: Node, there: Node): string[] => Object.keys(here).filter((name) => !(name in there));

/** The fields that have a new name and are else the same, by their old name. */
function renames(old: Node, young: Node, removed: string[], added: string[]): Map<string, string> {
  const shape = (schema: unknown): string =>
    canonical(Object.fromEntries(Object.entries(nodeOf(schema)).filter(([key]) => !isWording(key))));
  const pairs = new Map<string, string>();
  for (const from of removed) {
    const alike = added.filter((to) => shape(old[from]) === shape(young[to]));
    const rivals = removed.filter((one) => shape(old[one]) === shape(old[from]));
    const [to] = alike;
    if (to !== undefined && alike.length === 1 && rivals.length === 1) pairs.set(from, to);
  }
  return pairs;
}

/** Which fields must be there, of those that there are on both sides. */
function compareRequired({ walk, before, after, path, use }: SchemaPlace, moved: ReadonlySet<string>): void {
  const [old, young] = [textsOf(before.required), textsOf(after.required)];
  let isReported = false;
  const report = (name: string, index: number, side: "old" | "new"): void => {
    isReported = true;
    if (moved.has(name)) return;
    const effect = side === "new" ? "narrower" : "wider";
    const kind = `${use}-field-${side === "new" ? "required" : "optional"}`;
    walk.report({ kind, path: [...path, "required", index], side, name, effect });
  };
  for (const [index, name] of old.entries()) if (!young.includes(name)) report(name, index, "old");
  for (const [index, name] of young.entries()) if (!old.includes(name)) report(name, index, "new");
  if (!isReported && !same(old, young)) {
    walk.report({ kind: "order-changed", path: [...path, "required"], side: "new", name: "required" });
  }
}

/** Whether a schema allows everything. Words, examples and marks forbid nothing. */
const isOpen = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isNode(schema) && Object.keys(schema).every(isWording));

/** What an object takes beside its named fields. */
function compareOpenness(place: SchemaPlace, key: string): void {
  const { walk, before, after, path, use } = place;
  const [old, young] = [before[key], after[key]];
  if (same(old, young)) return;
  const where = [...path, key];
  const side = key in after ? "new" : "old";
  const report = (kind: string, effect: "narrower" | "wider"): void =>
    walk.report({ kind, path: where, side, name: key, before: old, after: young, effect });
  if (isOpen(old) && isOpen(young)) walk.report({ kind: "schema-rewritten", path: where, side, name: key });
  else if (young === false) report(`${use}-closed`, "narrower");
  else if (old === false) report(`${use}-opened`, "wider");
  else if (isOpen(old)) report(kindOf(use, "rule", "narrower"), "narrower");
  else if (isOpen(young)) report(kindOf(use, "rule", "wider"), "wider");
  else compareSchema(walk, old, young, where, use);
}

/** The entries of a list, and fields by pattern. */
function compareParts(place: SchemaPlace): void {
  const { walk, before, after, path, use } = place;
  for (const key of ["items", "unevaluatedItems"]) {
    if (isOpen(before[key]) === isOpen(after[key]) && before[key] !== undefined && after[key] !== undefined)
      compareSchema(walk, before[key], after[key], [...path, key], use);
    else compareOpenness(place, key);
  }
  const [old, young] = [nodeOf(before.patternProperties), nodeOf(after.patternProperties)];
  for (const name of new Set([...Object.keys(old), ...Object.keys(young)])) {
    const where = [...path, "patternProperties", name];
    if (name in old && name in young) compareSchema(walk, old[name], young[name], where, use);
    else {
      const effect = name in young ? "narrower" : "wider";
      walk.report({
        kind: kindOf(use, "rule", effect),
        path: where,
        side: name in young ? "new" : "old",
        name,
        effect,
      });
    }
  }
}
