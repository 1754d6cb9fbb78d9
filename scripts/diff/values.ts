import { listOf } from "../document/values.ts";
import { compareFlag, compareSets, type Effect, reportKey, same } from "./change.ts";
import { effectOf, nameAt, reportEffect, type SchemaPair } from "./schema-pair.ts";

/** The keywords for the type and the values of a schema. */
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

/** Compares types, enums, constants, defaults and flags. */
export function compareValues(pair: SchemaPair): void {
  const { before, after, direction } = pair;
  compareType(pair);
  compareEnums(pair);
  if (!same(before.const, after.const))
    reportEffect(pair, "const", effectOf(pair, "const"), "const", { name: nameAt(pair) });
  if (!same(before.default, after.default)) {
    const change = { narrowed: "added", widened: "removed", changed: "changed" }[effectOf(pair, "default")];
    reportKey(pair, "default", `${direction}-default-${change}`);
  }
  compareFlag(pair, "deprecated", { set: "deprecated", unset: "deprecation-withdrawn" });
  for (const key of ["readOnly", "writeOnly"]) {
    const isHidden = (key === "readOnly") === (direction === "request");
    const set = isHidden ? `${direction}-property-hidden` : "read-write-flag-changed";
    compareFlag(pair, key, { set, unset: "read-write-flag-changed" });
  }
}

function compareType(pair: SchemaPair): void {
  const [before, after] = [typesOf(pair.before.type), typesOf(pair.after.type)];
  if (same(before, after)) return;
  const isWider = after === undefined || before?.every((type) => after.includes(type)) === true;
  const isNarrower = before === undefined || after?.every((type) => before.includes(type)) === true;
  const effect: Effect = isWider ? "widened" : isNarrower ? "narrowed" : "changed";
  reportEffect(pair, "type", effect, "type", { name: nameAt(pair), before, after });
}

const typesOf = (type: unknown): string[] | undefined =>
  type === undefined ? undefined : [...(Array.isArray(type) ? type : [type])].map(String).sort();

function compareEnums(pair: SchemaPair): void {
  const effect = effectOf(pair, "enum");
  const kindsOf = (thing: string): Parameters<typeof compareSets>[2] => ({
    added: [`${pair.direction}-${thing}-added`, "widened"],
    removed: [`${pair.direction}-${thing}-removed`, "narrowed"],
  });
  if ("enum" in pair.before && effect === "changed") {
    compareSets(pair, "enum", kindsOf("enum-value"));
    return;
  }
  if (effect === "widened" || "enum" in pair.after)
    reportEffect(pair, "enum", effect, "enum", { name: nameAt(pair) });
  // The values of an extensible enum that becomes closed are still valid.
  const closed = listOf(pair.after.enum);
  compareSets(pair, "x-extensible-enum", kindsOf("extensible-enum-value"), closed);
}
