import { isNode, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { compareContent, compareReferred } from "./answers.ts";
import { namesOf, same, type Walk } from "./found.ts";
import { compareParameters } from "./parameters.ts";
import { compareSecurity } from "./security.ts";
import { compareStatuses } from "./statuses.ts";
import { isMethod } from "./usage.ts";
import { compareRest, reportKey } from "./wording.ts";

/** An address without the names of its parameters, which callers do not see. */
const shapeOf = (address: string): string => address.replaceAll(/\{[^}]*\}/g, "{}");

/** Compares the addresses of two documents, and every operation that both have. */
export function comparePaths(walk: Walk): void {
  const [old, young] = [nodeOf(walk.before.paths), nodeOf(walk.after.paths)];
  const addressIn = (paths: Node, address: string): string | undefined =>
    address in paths ? address : Object.keys(paths).find((one) => shapeOf(one) === shapeOf(address));
  for (const address of Object.keys(old)) {
    const there = addressIn(young, address);
    if (there !== undefined) compareItem(walk, nodeOf(old[address]), nodeOf(young[there]), ["paths", there]);
    else walk.report({ kind: "endpoint-removed", path: ["paths", address], side: "old", name: address });
  }
  for (const address of Object.keys(young).filter((one) => addressIn(old, one) === undefined)) {
    walk.report({ kind: "endpoint-added", path: ["paths", address], side: "new", name: address });
  }
}

function compareItem(walk: Walk, before: Node, after: Node, path: Path): void {
  for (const method of namesOf(before, after).filter(isMethod)) {
    const where = [...path, method];
    const name = `${method.toUpperCase()} ${String(path[1])}`;
    if (!(method in after)) walk.report({ kind: "endpoint-removed", path: where, side: "old", name });
    else if (!(method in before)) walk.report({ kind: "endpoint-added", path: where, side: "new", name });
    else compareOperation(walk, [before, after], method, where);
  }
  const methods = namesOf(before, after).filter(isMethod);
  compareRest(walk, before, after, path, new Set(["parameters", ...methods]));
}

const known = new Set([
  "parameters",
  "requestBody",
  "responses",
  "security",
  "operationId",
  "tags",
  "deprecated",
]);

function compareOperation(walk: Walk, items: [Node, Node], method: string, path: Path): void {
  const [before, after] = items.map((item) => nodeOf(item[method])) as [Node, Node];
  if (!same(before.operationId, after.operationId)) {
    const kind = "operationId" in before ? "operation-id-changed" : "operation-id-added";
    reportKey(walk, kind, before, after, path, "operationId");
  }
  if ((before.deprecated === true) !== (after.deprecated === true)) {
    const kind = after.deprecated === true ? "deprecated" : "deprecation-withdrawn";
    reportKey(walk, kind, before, after, path, "deprecated");
  }
  compareParameters(walk, [before, after], items, path);
  compareBody(walk, before, after, [...path, "requestBody"]);
  compareStatuses(walk, nodeOf(before.responses), nodeOf(after.responses), [...path, "responses"]);
  compareSecurity(walk, before, after, [...path, "security"]);
  compareProduct(walk, before, after, [...path, "tags"]);
  compareRest(walk, before, after, path, known);
}

function compareBody(walk: Walk, before: Node, after: Node, path: Path): void {
  const [old, young] = [before.requestBody, after.requestBody];
  const name = textOf(after.operationId);
  if (old === undefined && young !== undefined) {
    const obligation = nodeOf(young).required === true ? "required" : "optional";
    walk.report({ kind: `${obligation}-body-added`, path, side: "new", name });
  } else if (old !== undefined && young === undefined) {
    walk.report({ kind: "body-removed", path, side: "old", name });
  } else {
    compareReferred(walk, [old, young], path, (inner, one, other, where) => {
      const [was, is] = [one.required === true, other.required === true];
      if (was !== is) reportKey(inner, is ? "body-required" : "body-optional", one, other, where, "required");
      compareContent(inner, [one.content, other.content], [...where, "content"], "request");
      compareRest(inner, one, other, where, new Set(["required", "content"]));
    });
  }
}

/** A tag stands for a product that the account must have: another tag may ask for another product. */
function compareProduct(walk: Walk, before: Node, after: Node, path: Path): void {
  if (same(before.tags, after.tags)) return;
  const [old, young] = [productsOf(walk.before, before), productsOf(walk.after, after)];
  const isMore = young.some((product) => !old.includes(product));
  const kind = isMore ? "product-required" : same(old, young) ? "wording-changed" : "product-waived";
  const name = textOf(after.operationId);
  walk.report({ kind, path, side: "new", name, before: before.tags, after: after.tags });
}

function productsOf(document: Node, operation: Node): string[] {
  const tags = Array.isArray(document.tags) ? document.tags.filter(isNode) : [];
  const named = Array.isArray(operation.tags) ? operation.tags : [];
  return tags.filter((tag) => named.includes(tag.name)).flatMap((tag) => textOf(tag["x-product"]) || []);
}
