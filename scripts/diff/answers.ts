import { isNode, type Node, nodeOf, type Path } from "../document/values.ts";
import { namesOf, same, type Use, type Walk } from "./found.ts";
import { dereferenced } from "./references.ts";
import { compareSchema } from "./schema.ts";
import { compareRest, reportKey } from "./wording.ts";

/** Compares two nodes that may be references: by what they lead to where the references differ. */
export function compareReferred(
  walk: Walk,
  [before, after]: [unknown, unknown],
  path: Path,
  compare: (walk: Walk, before: Node, after: Node, path: Path) => void,
): void {
  const [one, other] = [nodeOf(before), nodeOf(after)];
  if (same(one, other)) return;
  if (one.$ref === other.$ref) {
    if (one.$ref === undefined) {
      compare(walk, one, other, path);
      return;
    }
    compareRest(walk, one, other, path, new Set(["$ref"]));
    return;
  }
  let isReported = false;
  const report: Walk["report"] = (found) => {
    isReported = true;
    walk.report(found);
  };
  compare({ ...walk, report }, dereferenced(walk.before, one), dereferenced(walk.after, other), path);
  if (isReported) return;
  const name = String(path.at(-1));
  walk.report({ kind: "reference-changed", path, side: "new", name, before: one.$ref, after: other.$ref });
}

/** Compares two answers: their headers, their body, and whether it may be missing. */
export function compareAnswer(walk: Walk, before: Node, after: Node, path: Path): void {
  compareHeaders(walk, nodeOf(before.headers), nodeOf(after.headers), [...path, "headers"]);
  compareContent(walk, [before.content, after.content], [...path, "content"], "answer");
  compareLinks(walk, nodeOf(before.links), nodeOf(after.links), [...path, "links"]);
  const [was, is] = [before["x-empty-body"] === true, after["x-empty-body"] === true];
  if (was !== is)
    reportKey(
      walk,
      is ? "answer-body-optional" : "answer-body-required",
      before,
      after,
      path,
      "x-empty-body",
    );
  compareRest(walk, before, after, path, new Set(["headers", "content", "links", "x-empty-body"]));
}

function compareHeaders(walk: Walk, before: Node, after: Node, path: Path): void {
  // Upper and lower case do not count in names of headers.
  const nameIn = (headers: Node, name: string): string | undefined =>
    Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase());
  for (const name of Object.keys(before)) {
    const there = nameIn(after, name);
    const where = [...path, there ?? name];
    if (there === undefined) walk.report({ kind: "answer-header-removed", path: where, side: "old", name });
    else {
      compareReferred(walk, [before[name], after[there]], where, compareHeader);
      if (there !== name) walk.report({ kind: "spelling-changed", path: where, side: "new", name: there });
    }
  }
  for (const name of Object.keys(after).filter((one) => nameIn(before, one) === undefined)) {
    walk.report({ kind: "answer-header-added", path: [...path, name], side: "new", name });
  }
}

/** Compares two headers of answers. */
export function compareHeader(walk: Walk, before: Node, after: Node, path: Path): void {
  const [was, is] = [before.required === true, after.required === true];
  const name = String(path.at(-1));
  const side = "required" in after ? "new" : "old";
  const where: Path = [...path, "required"];
  if (was !== is)
    walk.report({ kind: is ? "answer-header-required" : "answer-header-optional", path: where, side, name });
  else if (!same(before.required, after.required))
    walk.report({ kind: "schema-rewritten", path: where, side, name });
  compareSchema(walk, before.schema, after.schema, [...path, "schema"], "answer");
  compareNames(walk, before, after, [...path, "x-operations"], "header-operation");
  compareRest(walk, before, after, path, new Set(["required", "schema", "x-operations"]));
}

/** Compares two lists of names at the end of the path: each that comes or goes is one difference. */
export function compareNames(walk: Walk, before: Node, after: Node, path: Path, kind: string): void {
  const key = String(path.at(-1));
  const [old, young] = [listAt(before, key), listAt(after, key)];
  if (same(old, young)) return;
  const removed = old.filter((name) => !young.includes(name));
  const added = young.filter((name) => !old.includes(name));
  for (const name of removed)
    walk.report({
      kind: `${kind}-removed`,
      path: [...path, old.indexOf(name)],
      side: "old",
      name: String(name),
    });
  for (const name of added)
    walk.report({
      kind: `${kind}-added`,
      path: [...path, young.indexOf(name)],
      side: "new",
      name: String(name),
    });
  if (removed.length + added.length === 0)
    walk.report({ kind: "order-changed", path, side: "new", name: key });
}

const listAt = (node: Node, key: string): unknown[] => {
  const value = node[key];
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
};

/** Compares what a body may be, by media type. */
export function compareContent(walk: Walk, [before, after]: [unknown, unknown], path: Path, use: Use): void {
  const [old, young] = [nodeOf(before), nodeOf(after)];
  for (const type of namesOf(old, young)) {
    const where = [...path, type];
    if (!(type in young))
      walk.report({ kind: `${use}-media-type-removed`, path: where, side: "old", name: type });
    else if (!(type in old))
      walk.report({ kind: `${use}-media-type-added`, path: where, side: "new", name: type });
    else {
      const [one, other] = [nodeOf(old[type]), nodeOf(young[type])];
      compareSchema(walk, one.schema, other.schema, [...where, "schema"], use);
      compareRest(walk, one, other, where, new Set(["schema"]));
    }
  }
}

function compareLinks(walk: Walk, before: Node, after: Node, path: Path): void {
  for (const name of namesOf(before, after)) {
    if (same(before[name], after[name])) continue;
    const side = isNode(after[name]) ? "new" : "old";
    walk.report({ kind: "link-changed", path: [...path, name], side, name });
  }
}
