import { listOf } from "../document/values.ts";
import { same } from "./found.ts";
import { kindOf, type SchemaPlace } from "./schema.ts";
import { reportKey } from "./wording.ts";

/** The keywords that say which values there are. */
export const valueKeys = [
  "type",
  "enum",
  "const",
  "x-extensible-enum",
  "default",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/** Compares what values two schemas allow: type, closed and open sets, defaults. */
export function compareValues(place: SchemaPlace): void {
  compareType(place);
  compareSets(place);
  compareConst(place);
  compareDefault(place);
  compareFlags(place);
}

function compareType(place: SchemaPlace): void {
  const { walk, before, after, path, use } = place;
  const [one, other] = [typesOf(before.type), typesOf(after.type)];
  if (same(one, other)) return;
  const isWider = other === undefined || one?.every((type) => other.includes(type)) === true;
  const isNarrower = one === undefined || other?.every((type) => one.includes(type)) === true;
  const effect = isWider ? "wider" : isNarrower ? "narrower" : "other";
  const side = "type" in after ? "new" : "old";
  const name = nameAt(place);
  const kind = kindOf(use, "type", effect);
  walk.report({ kind, path: [...path, "type"], side, name, before: one, after: other, effect });
}

const typesOf = (type: unknown): string[] | undefined =>
  type === undefined ? undefined : [...(Array.isArray(type) ? type : [type])].map(String).sort();

/** What a schema is of: the last name on the way to it that is no keyword. */
export const nameAt = ({ path }: SchemaPlace): string =>
  String(path.filter((part) => part !== "schema" && part !== "items").at(-1) ?? "");

function compareSets(place: SchemaPlace): void {
  const { before, after } = place;
  if ("enum" in before && "enum" in after) {
    compareList(place, "enum", "value");
    return;
  }
  const isClosed = !("enum" in before) && "enum" in after;
  const isOpened = "enum" in before && !("enum" in after);
  if (isClosed) reportSet(place, "narrower");
  if (isOpened) reportSet(place, "wider");
  const moved = listOf(isClosed ? after.enum : []);
  compareList(place, "x-extensible-enum", "known-value", moved);
}

function reportSet({ walk, before, after, path, use }: SchemaPlace, effect: "narrower" | "wider"): void {
  const kind = kindOf(use, "set", effect);
  const side = effect === "narrower" ? "new" : "old";
  const name = nameAt({ walk, before, after, path, use });
  walk.report({ kind, path: [...path, "enum"], side, name, before: before.enum, after: after.enum, effect });
}

/** Compares two lists whose entries are values, each for itself. */
function compareList(place: SchemaPlace, key: string, thing: string, moved: unknown[] = []): void {
  const { walk, before, after, path, use } = place;
  const [old, young] = [listOf(before[key]), listOf(after[key])];
  let count = 0;
  for (const [index, value] of old.entries()) {
    if ([...young, ...moved].some((one) => same(one, value))) continue;
    count += 1;
    const kind = `${use}-${thing}-removed`;
    walk.report({ kind, path: [...path, key, index], side: "old", name: String(value), effect: "narrower" });
  }
  for (const [index, value] of young.entries()) {
    if (old.some((one) => same(one, value))) continue;
    count += 1;
    const kind = `${use}-${thing}-added`;
    walk.report({ kind, path: [...path, key, index], side: "new", name: String(value), effect: "wider" });
  }
  if (count === 0 && moved.length === 0 && !same(old, young)) {
    walk.report({ kind: "order-changed", path: [...path, key], side: "new", name: key });
  }
}

function compareConst(place: SchemaPlace): void {
  const { walk, before, after, path, use } = place;
  if (same(before.const, after.const)) return;
  const effect = !("const" in before) ? "narrower" : !("const" in after) ? "wider" : "other";
  const side = "const" in after ? "new" : "old";
  const kind = kindOf(use, "constant", effect);
  const name = nameAt(place);
  walk.report({
    kind,
    path: [...path, "const"],
    side,
    name,
    before: before.const,
    after: after.const,
    effect,
  });
}

function compareDefault({ walk, before, after, path, use }: SchemaPlace): void {
  if (same(before.default, after.default)) return;
  const change = !("default" in before) ? "added" : !("default" in after) ? "removed" : "changed";
  reportKey(walk, `${use}-default-${change}`, before, after, path, "default");
}

function compareFlags({ walk, before, after, path, use }: SchemaPlace): void {
  const isSet = (value: unknown): boolean => value === true;
  for (const key of ["deprecated", "readOnly", "writeOnly"]) {
    if (same(before[key], after[key])) continue;
    if (isSet(before[key]) === isSet(after[key]))
      reportKey(walk, "schema-rewritten", before, after, path, key);
    else if (key === "deprecated") {
      reportKey(walk, isSet(after[key]) ? "deprecated" : "deprecation-withdrawn", before, after, path, key);
    } else {
      // What can only be read is not sent, and what can only be written is not answered.
      const isHidden = (key === "readOnly") === (use === "request");
      const kind = isHidden && isSet(after[key]) ? `${use}-field-hidden` : "direction-mark-changed";
      reportKey(walk, kind, before, after, path, key);
    }
  }
}
