import { isNode, listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { compareAnswer, compareNames, compareReferred } from "./answers.ts";
import { compareComponents } from "./components.ts";
import { type Found, namesOf, same, type Walk } from "./found.ts";
import { compareLifecycles } from "./lifecycles.ts";
import { comparePaths } from "./operations.ts";
import { compareSecurity } from "./security.ts";
import { compareTables, tableKeys } from "./tables.ts";
import { compareRest, reportKey } from "./wording.ts";

const known = new Set([
  ...tableKeys,
  "openapi",
  "info",
  "servers",
  "security",
  "tags",
  "paths",
  "webhooks",
  "components",
  "x-lifecycles",
  "x-gateway-responses",
  "x-generated",
]);

/** Everything that differs between two bundles, each difference once for each use of its place. */
export function findDifferences(before: Node, after: Node): Found[] {
  const found: Found[] = [];
  const walk: Walk = { before, after, report: (one) => found.push(one) };
  compareInfo(walk);
  compareServers(walk);
  compareSecurity(walk, { security: before.security ?? [] }, { security: after.security ?? [] }, [
    "security",
  ]);
  compareTags(walk);
  comparePaths(walk);
  compareWebhooks(walk);
  compareComponents(walk);
  compareFront(walk);
  compareTables(walk);
  compareLifecycles(walk);
  compareRest(walk, before, after, [], known);
  return found;
}

function compareInfo(walk: Walk): void {
  const [before, after] = [nodeOf(walk.before.info), nodeOf(walk.after.info)];
  if (!same(before.version, after.version))
    reportKey(walk, "document-version", before, after, ["info"], "version");
  if (!same(walk.before.openapi, walk.after.openapi))
    reportKey(walk, "document-version", walk.before, walk.after, [], "openapi");
  compareRest(walk, before, after, ["info"], new Set(["version"]));
}

function compareServers(walk: Walk): void {
  const [old, young] = [listOf(walk.before.servers).map(nodeOf), listOf(walk.after.servers).map(nodeOf)];
  for (const [index, server] of old.entries()) {
    const place = young.findIndex(({ url }) => url === server.url);
    const path: Path = ["servers", place < 0 ? index : place];
    if (place < 0) walk.report({ kind: "server-removed", path, side: "old", name: textOf(server.url) });
    else compareServer(walk, server, young[place] ?? {}, path);
  }
  for (const [index, { url }] of young.entries()) {
    if (old.some((server) => server.url === url)) continue;
    walk.report({ kind: "server-added", path: ["servers", index], side: "new", name: textOf(url) });
  }
}

function compareServer(walk: Walk, before: Node, after: Node, path: Path): void {
  const [old, young] = [nodeOf(before.variables), nodeOf(after.variables)];
  for (const name of namesOf(old, young)) {
    const [one, other] = [nodeOf(old[name]), nodeOf(young[name])];
    const where = [...path, "variables", name];
    for (const key of ["default", "enum"]) {
      if (!same(one[key], other[key])) reportKey(walk, "server-changed", one, other, where, key);
    }
    compareRest(walk, one, other, where, new Set(["default", "enum"]));
  }
  if (!same(before["x-internal"], after["x-internal"]))
    reportKey(
      walk,
      after["x-internal"] === true ? "server-removed" : "server-added",
      before,
      after,
      path,
      "x-internal",
    );
  compareRest(walk, before, after, path, new Set(["url", "variables", "x-internal"]));
}

/** Tags group operations for people, and say which product and which error types their calls have. */
function compareTags(walk: Walk): void {
  const tags = (document: Node): [Node, number][] =>
    listOf(document.tags).map((tag, index) => [nodeOf(tag), index]);
  const [old, young] = [tags(walk.before), tags(walk.after)];
  for (const [tag, index] of old) {
    const [other, place] = young.find(([one]) => one.name === tag.name) ?? [];
    const name = textOf(tag.name);
    if (other === undefined || place === undefined) {
      walk.report({ kind: "tag-changed", path: ["tags", index], side: "old", name });
    } else compareTag(walk, tag, other, ["tags", place]);
  }
  for (const [{ name }, index] of young) {
    if (old.some(([one]) => one.name === name)) continue;
    walk.report({ kind: "tag-changed", path: ["tags", index], side: "new", name: textOf(name) });
  }
}

function compareTag(walk: Walk, before: Node, after: Node, path: Path): void {
  if (!same(before["x-product"], after["x-product"])) {
    const kind = "x-product" in after ? "product-required" : "product-waived";
    reportKey(walk, kind, before, after, path, "x-product");
  }
  compareNames(walk, before, after, [...path, "x-error-types"], "tag-error");
  compareRest(walk, before, after, path, new Set(["name", "x-product", "x-error-types"]));
}

/** Notifications are sent by the service: what they carry is judged like an answer. */
function compareWebhooks(walk: Walk): void {
  const [before, after] = [nodeOf(walk.before.webhooks), nodeOf(walk.after.webhooks)];
  for (const name of namesOf(before, after)) {
    const path = ["webhooks", name];
    if (!(name in after)) walk.report({ kind: "webhook-removed", path, side: "old", name });
    else if (!(name in before)) walk.report({ kind: "webhook-added", path, side: "new", name });
    else if (!same(before[name], after[name]))
      walk.report({ kind: "keyword-unknown", path, side: "new", name });
  }
}

function compareFront(walk: Walk): void {
  const [before, after] = [
    nodeOf(walk.before["x-gateway-responses"]),
    nodeOf(walk.after["x-gateway-responses"]),
  ];
  for (const status of namesOf(before, after)) {
    const path = ["x-gateway-responses", status];
    if (!isNode(after[status]))
      walk.report({ kind: "error-status-removed", path, side: "old", name: status });
    else if (!isNode(before[status]))
      walk.report({ kind: "error-status-added", path, side: "new", name: status });
    else compareReferred(walk, [before[status], after[status]], path, compareAnswer);
  }
}
