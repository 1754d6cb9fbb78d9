import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { same, type Walk } from "./found.ts";
import { dereferenced } from "./references.ts";
import { compareSchema } from "./schema.ts";
import { compareRest, reportKey } from "./wording.ts";

const facts = ["style", "explode", "allowReserved", "allowEmptyValue", "content"];
const known = new Set([...facts, "$ref", "name", "in", "required", "schema", "deprecated"]);

/** One parameter of an operation: where it stands, and what it is. */
interface Placed {
  path: Path;
  given: Node;
  parameter: Node;
}

/** Compares the parameters that apply to an operation, its own and those of its address, by place and name. */
export function compareParameters(
  walk: Walk,
  [before, after]: [Node, Node],
  [oldItem, youngItem]: [Node, Node],
  path: Path,
): void {
  const old = placed(walk.before, before, oldItem, path);
  const young = placed(walk.after, after, youngItem, path);
  const removed = [...old].filter(([key]) => !young.has(key));
  const added = [...young].filter(([key]) => !old.has(key));
  for (const [key, one] of old) {
    const other = young.get(key);
    if (other === undefined || (one.given.$ref === other.given.$ref && one.given.$ref !== undefined))
      continue;
    compareReferred(walk, one, other);
  }
  for (const [, one] of removed) {
    const index = added.findIndex(([, other]) => isAlike(one.parameter, other.parameter));
    const [renamed] = index < 0 ? [] : added.splice(index, 1);
    const name = textOf(one.parameter.name);
    if (renamed === undefined) walk.report({ kind: "parameter-removed", path: one.path, side: "old", name });
    else {
      const to = renamed[1].parameter.name;
      walk.report({
        kind: "parameter-renamed",
        path: renamed[1].path,
        side: "new",
        name,
        before: name,
        after: to,
      });
    }
  }
  for (const [, { parameter, path: where }] of added) {
    const obligation = parameter.required === true ? "required" : "optional";
    walk.report({
      kind: `${obligation}-parameter-added`,
      path: where,
      side: "new",
      name: textOf(parameter.name),
    });
  }
}

function placed(document: Node, operation: Node, item: Node, path: Path): Map<string, Placed> {
  const all = new Map<string, Placed>();
  const collect = (parameters: unknown, where: Path): void => {
    for (const [index, given] of listOf(parameters).map(nodeOf).entries()) {
      const parameter = dereferenced(document, given);
      const name = textOf(parameter.name);
      const key = `${textOf(parameter.in)} ${parameter.in === "header" ? name.toLowerCase() : name}`;
      all.set(key, { path: [...where, "parameters", index], given, parameter });
    }
  };
  collect(item.parameters, path.slice(0, -1));
  collect(operation.parameters, path);
  return all;
}

const isAlike = (one: Node, other: Node): boolean =>
  one.in === other.in &&
  same(one.schema, other.schema) &&
  (one.required === true) === (other.required === true);

function compareReferred(walk: Walk, one: Placed, other: Placed): void {
  let isReported = false;
  const report: Walk["report"] = (found) => {
    isReported = true;
    walk.report(found);
  };
  compareParameter({ ...walk, report }, one.parameter, other.parameter, other.path);
  if (isReported || same(one.given.$ref, other.given.$ref)) return;
  walk.report({
    kind: "reference-changed",
    path: other.path,
    side: "new",
    name: textOf(other.parameter.name),
  });
}

/** Compares two parameters. A parameter component may change its name. */
export function compareParameter(walk: Walk, before: Node, after: Node, path: Path): void {
  if (before.$ref !== after.$ref) {
    compareParameter(walk, dereferenced(walk.before, before), dereferenced(walk.after, after), path);
    return;
  }
  const name = textOf(after.name);
  for (const key of ["name", "in"]) {
    const isCase =
      key === "name" && before.in === "header" && textOf(before.name).toLowerCase() === name.toLowerCase();
    if (!same(before[key], after[key])) {
      const kind = isCase ? "spelling-changed" : key === "name" ? "parameter-renamed" : "parameter-moved";
      reportKey(walk, kind, before, after, path, key);
    }
  }
  const [was, is] = [before.required === true, after.required === true];
  const where: Path = [...path, "required"];
  const side = "required" in after ? "new" : "old";
  if (was !== is)
    walk.report({ kind: is ? "parameter-required" : "parameter-optional", path: where, side, name });
  else if (!same(before.required, after.required))
    walk.report({ kind: "schema-rewritten", path: where, side, name });
  if (!same(before.deprecated === true, after.deprecated === true)) {
    reportKey(
      walk,
      after.deprecated === true ? "deprecated" : "deprecation-withdrawn",
      before,
      after,
      path,
      "deprecated",
    );
  }
  for (const key of facts) {
    if (!same(before[key], after[key])) reportKey(walk, "parameter-style-changed", before, after, path, key);
  }
  if ("schema" in before || "schema" in after)
    compareSchema(walk, before.schema, after.schema, [...path, "schema"], "request");
  compareRest(walk, before, after, path, known);
}
