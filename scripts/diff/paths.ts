import { isMethod } from "../document/operations.ts";
import { isNode, type Node, nodeOf, textOf } from "../document/values.ts";
import { child, compareFlag, namesOf, type Pair, reportKey, same } from "./change.ts";
import { compareParameters } from "./parameters.ts";
import { compareContent, compareResponses } from "./responses.ts";
import { compareReferenced, compareRest } from "./rest.ts";
import { compareSecurity } from "./security.ts";

/** A path template without the names of its parameters, which are not part of a URL. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

/** Compares the paths of two documents and every operation that both have. */
export function comparePaths(pair: Pair): void {
  const shapes = new Map(Object.keys(pair.after).map((path) => [shapeOf(path), path]));
  const nowOf = (path: string): string | undefined =>
    Object.hasOwn(pair.after, path) ? path : shapes.get(shapeOf(path));
  const kept = new Set(Object.keys(pair.before).map(nowOf));
  for (const [path, item] of Object.entries(pair.before)) {
    const now = nowOf(path);
    if (now === undefined) reportKey(pair, path, "endpoint-removed");
    else compareItem(child({ ...pair, before: { [now]: item } }, now));
  }
  for (const path of Object.keys(pair.after)) if (!kept.has(path)) reportKey(pair, path, "endpoint-added");
}

function compareItem(item: Pair): void {
  const methods = namesOf(item.before, item.after).filter(isMethod);
  for (const method of methods) {
    const name = `${method.toUpperCase()} ${String(item.path[1])}`;
    if (!(method in item.after)) reportKey(item, method, "endpoint-removed", { name });
    else if (!(method in item.before)) reportKey(item, method, "endpoint-added", { name });
    else compareOperation(child(item, method), item);
  }
  compareRest(item, ["parameters", ...methods]);
}

const known = ["parameters", "requestBody", "responses", "security", "operationId", "tags", "deprecated"];

function compareOperation(pair: Pair, item: Pair): void {
  const { before, after } = pair;
  if (before.operationId !== after.operationId)
    reportKey(pair, "operationId", "operationId" in before ? "operation-id-changed" : "operation-id-added");
  compareFlag(pair, "deprecated", { set: "deprecated", unset: "deprecation-withdrawn" });
  compareParameters(pair, item);
  compareBody(pair);
  compareResponses(child(pair, "responses"));
  compareSecurity(pair);
  compareProducts(pair);
  compareRest(pair, known);
}

function compareBody(pair: Pair): void {
  const [before, after] = [pair.before.requestBody, pair.after.requestBody];
  const obligation = nodeOf(after).required === true ? "required" : "optional";
  if (before !== undefined && after === undefined) reportKey(pair, "requestBody", "body-removed");
  else if (before === undefined && after !== undefined)
    reportKey(pair, "requestBody", `${obligation}-body-added`);
  else
    compareReferenced(child(pair, "requestBody"), (body) => {
      compareFlag(body, "required", { set: "body-required", unset: "body-optional" });
      compareContent(child(body, "content"), "request");
      compareRest(body, ["required", "content"]);
    });
}

/** A tag may name the product that the account needs. */
function compareProducts(pair: Pair): void {
  const { context, before, after } = pair;
  if (same(before.tags, after.tags)) return;
  const [old, now] = [productsOf(context.base, before), productsOf(context.revision, after)];
  const isMore = now.some((product) => !old.includes(product));
  const kind = isMore ? "product-required" : same(old, now) ? "wording-changed" : "product-waived";
  reportKey(pair, "tags", kind, { document: "revision", name: textOf(after.operationId) });
}

function productsOf(document: Node, operation: Node): string[] {
  const tags = Array.isArray(document.tags) ? document.tags.filter(isNode) : [];
  const named = Array.isArray(operation.tags) ? operation.tags : [];
  return tags.filter((tag) => named.includes(tag.name)).flatMap((tag) => textOf(tag["x-product"]) || []);
}
