import { MIMEType } from "node:util";
import { isMethod } from "../document/operations.ts";
import { resolveSchema } from "../document/references.ts";
import { listOf, type Node, nodeOf, type Path, textOf } from "../document/values.ts";
import { type Direction, namesInBoth, namesOf, namesOnlyIn, type Pair, same } from "./change.ts";
import { compareSchema } from "./schema.ts";

/** A path template without the names of its parameters, which are not part of a URL. */
const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, "{}");

/** Compares the paths of two documents and every operation that both have. */
export function comparePaths(pair: Pair): void {
  const shapes = new Map(Object.keys(pair.after).map((path) => [shapeOf(path), path]));
  const nowOf = (path: string) => (Object.hasOwn(pair.after, path) ? path : shapes.get(shapeOf(path)));
  const kept = new Set(Object.keys(pair.before).map(nowOf));
  for (const [path, item] of Object.entries(pair.before)) {
    const now = nowOf(path);
    if (now === undefined) pair.reportKey(path, "endpoint-removed");
    else compareItem(pair.with({ before: { [now]: item } }).child(now));
  }
  for (const path of Object.keys(pair.after)) if (!kept.has(path)) pair.reportKey(path, "endpoint-added");
}

function compareItem(pair: Pair): void {
  const item = pair.resolved();
  const methods = namesOf(item.before, item.after).filter(isMethod);
  for (const method of methods) {
    const name = `${method.toUpperCase()} ${String(item.path[1])}`;
    if (!(method in item.after)) item.reportKey(method, "endpoint-removed", { name });
    else if (!(method in item.before)) item.reportKey(method, "endpoint-added", { name });
    else compareOperation(item.child(method), item);
  }
  item.compareRest(["parameters", ...methods]);
}

const operationKeys = "parameters requestBody responses security operationId tags deprecated".split(" ");

function compareOperation(pair: Pair, item: Pair): void {
  const { before, after } = pair;
  if (before.operationId !== after.operationId)
    pair.reportKey("operationId", "operationId" in before ? "operation-id-changed" : "operation-id-added");
  const flags = { set: "deprecated", unset: "deprecation-withdrawn" };
  pair.compareFlag("deprecated", flags, { name: textOf(after.operationId) || pair.name });
  compareParameters(pair, item);
  compareBody(pair);
  compareResponses(pair.child("responses"));
  compareSecurity(pair);
  compareProducts(pair);
  pair.compareRest(operationKeys);
}

function compareBody(pair: Pair): void {
  const [before, after] = [pair.before.requestBody, pair.after.requestBody];
  const obligation = resolveSchema(pair.context.revision, after).required === true ? "required" : "optional";
  if (before !== undefined && after === undefined) pair.reportKey("requestBody", "body-removed");
  else if (before === undefined && after !== undefined)
    pair.reportKey("requestBody", `${obligation}-body-added`);
  else pair.child("requestBody").compareReferenced(compareRequestBody);
}

export function compareRequestBody(body: Pair): void {
  body.compareFlag("required", { set: "body-required", unset: "body-optional" });
  compareContent(body.child("content"), "request");
  body.compareRest(["required", "content"]);
}

/** A tag may name the product that the account needs. */
function compareProducts(pair: Pair): void {
  const { context, before, after } = pair;
  if (same(before.tags, after.tags)) return;
  const [old, now] = [productsOf(context.base, before), productsOf(context.revision, after)];
  const isMore = now.some((product) => !old.includes(product));
  const kind = isMore ? "product-required" : same(old, now) ? "wording-changed" : "product-waived";
  pair.reportKey("tags", kind, { document: "revision", name: textOf(after.operationId) });
}

const productsOf = (document: Node, operation: Node): string[] =>
  listOf(document.tags)
    .map(nodeOf)
    .filter(({ name }) => listOf(operation.tags).includes(name))
    .flatMap((tag) => textOf(tag["x-product"]) || []);

const serialization = ["style", "explode", "allowReserved", "allowEmptyValue"];
const parameterKeys = [...serialization, ..."$ref name in required schema content deprecated".split(" ")];

/** Compares the value of a parameter or header, and how it is serialized; a missing keyword has the default of OpenAPI. */
function compareValue(pair: Pair): void {
  const withDefaults = (node: Node): Node => {
    const isForm = (node.style ?? (node.in === "query" || node.in === "cookie" ? "form" : "")) === "form";
    const defaults = { style: isForm ? "form" : "simple", explode: isForm };
    // Beside deepObject, it has no meaning.
    const ignored = node.style === "deepObject" && { explode: true };
    return { ...defaults, allowReserved: false, allowEmptyValue: false, ...node, ...ignored };
  };
  const [before, after] = [withDefaults(pair.before), withDefaults(pair.after)];
  const [rewritten] = serialization.filter((key) => !same(pair.before[key], pair.after[key]));
  const changed = serialization.filter((key) => !same(before[key], after[key]));
  // Whether a value is exploded is a part of its style.
  const parts = changed.filter((key) => key !== "explode" || !changed.includes("style"));
  for (const key of parts) pair.reportKey(key, "parameter-style-changed", { name: pair.name });
  if (rewritten && changed.length === 0) pair.reportKey(rewritten, "schema-rewritten", { name: pair.name });
  const direction = pair.after.in === undefined ? "response" : "request";
  if ("content" in before !== "content" in after) {
    // The value of `content` is written in its media type, that of `schema` is not.
    pair.reportKey("content", "parameter-style-changed", { name: pair.name });
    return;
  }
  compareContent(pair.child("content"), direction);
  compareSchema(pair, "schema", direction);
}

/** Compares the parameters of an operation, its own and those of its path, by location and name. */
function compareParameters(operation: Pair, item: Pair): void {
  const { context } = operation;
  const paths = [item.path, operation.path];
  const old = parametersOf(context.base, [item.before, operation.before], paths);
  const now = parametersOf(context.revision, [item.after, operation.after], paths, context.base);
  for (const [key, { given: before }] of old) {
    const other = now.get(key);
    if (other === undefined || same(before, other.given)) continue;
    operation.with({ before, after: other.given, path: other.path }).compareReferenced(compareParameter);
  }
  const added = [...now].filter(([key]) => !old.has(key)).map(([, one]) => one);
  for (const { path, parameter } of [...old].filter(([key]) => !now.has(key)).map(([, removed]) => removed)) {
    const index = added.findIndex((other) => isRenamed(parameter, other.parameter));
    const renamed = index < 0 ? undefined : added.splice(index, 1)[0];
    if (renamed === undefined)
      operation.with({ path }).reportItem([], "base", "parameter-removed", textOf(parameter.name));
    else {
      const place = operation.with({ path: renamed.path, before: parameter, after: renamed.parameter });
      place.reportKey("name", "parameter-renamed");
    }
  }
  for (const { path, parameter } of added) {
    const kind = `${parameter.required === true ? "required" : "optional"}-parameter-added`;
    operation.with({ path }).reportItem([], "revision", kind, textOf(parameter.name));
  }
}

/** The parameters of an operation: as they are listed, and with their `$ref`s resolved. A component has the key that it has in the base. */
function parametersOf(document: Node, owners: Node[], paths: Path[], base = document) {
  const listed = owners.flatMap((owner, at) =>
    listOf(owner.parameters).map((given, index) => {
      const path = [...(paths[at] ?? []), "parameters", index];
      const parameter = resolveSchema(document, given);
      const known = resolveSchema(base, given);
      return { path, given: nodeOf(given), parameter, key: keyOf("name" in known ? known : parameter) };
    }),
  );
  return new Map(listed.map((one) => [one.key, one]));
}

/** Header names are case-insensitive. */
const keyOf = (parameter: Node): string =>
  `${textOf(parameter.in)} ${parameter.in === "header" ? textOf(parameter.name).toLowerCase() : textOf(parameter.name)}`;

const isRenamed = (one: Node, other: Node): boolean =>
  one.in === other.in &&
  same(one.schema, other.schema) &&
  (one.required === true) === (other.required === true);

export function compareParameter(pair: Pair): void {
  const { before, after } = pair;
  const name = textOf(after.name);
  const renamed = keyOf(before) === keyOf(after) ? "header-case-changed" : "parameter-renamed";
  if (before.name !== after.name) pair.reportKey("name", renamed, { name });
  if (before.in !== after.in) pair.reportKey("in", "parameter-moved", { name });
  pair.compareFlag("required", { set: "parameter-required", unset: "parameter-optional" }, { name });
  pair.compareFlag("deprecated", { set: "deprecated", unset: "deprecation-withdrawn" }, { name });
  compareValue(pair);
  pair.compareRest(parameterKeys);
}

/** Compares the security requirements of an operation or document: the alternatives, and the abilities of each. */
export function compareSecurity(pair: Pair): void {
  const { context, before, after } = pair;
  if (same(before.security, after.security)) return;
  const old = alternatives(before, context.base);
  const now = alternatives(after, context.revision);
  const name = textOf(after.operationId) || "every operation";
  const [one, ...others] = old;
  const [other, ...more] = now;
  const isOneScheme =
    one !== undefined && other !== undefined && same(Object.keys(one).sort(), Object.keys(other).sort());
  if (same(old, now)) pair.reportKey("security", "schema-rewritten", { name });
  else if (isOneScheme && others.length + more.length === 0) compareAbilities(pair, one, other);
  else {
    // If every old alternative is still sufficient, every client still has access.
    const isKept = old.every((given) => now.some((required) => isSufficient(given, required)));
    pair.reportKey("security", isKept ? "authentication-relaxed" : "authentication-changed", { name });
  }
}

const isSufficient = (given: Node, required: Node): boolean =>
  Object.entries(required).every(
    ([scheme, abilities]) =>
      Object.hasOwn(given, scheme) &&
      listOf(abilities).every((ability) => listOf(given[scheme]).includes(ability)),
  );

/** The alternatives; none means that no authentication is needed. */
function alternatives(node: Node, document: Node): Node[] {
  const listed = listOf(node.security ?? document.security).map(nodeOf);
  return listed.length === 0 ? [{}] : listed;
}

function compareAbilities(pair: Pair, before: Node, after: Node): void {
  for (const scheme of namesOf(before, after)) {
    const [old, now] = [listOf(before[scheme]), listOf(after[scheme])];
    if (same(old, now)) continue;
    const isFewer = old.some((ability) => !now.includes(ability));
    const isMore = now.some((ability) => !old.includes(ability));
    const kind = isMore ? "ability-raised" : isFewer ? "ability-lowered" : "order-changed";
    const details = { document: "revision", before: old.join(", "), after: now.join(", ") } as const;
    pair.child("security").child(0).reportKey(scheme, kind, details);
  }
}

const isSuccess = (status: string): boolean => /^[23]/.test(status);
const covers = (range: string, status: string): boolean => range.toUpperCase() === `${status[0]}XX`;

/** Compares the responses of an operation by status. `2XX` stands for a success status that is unspecified. */
function compareResponses(pair: Pair): void {
  const { before, after } = pair;
  const [removed, added] = [namesOnlyIn(before, after), namesOnlyIn(after, before)];
  for (const status of namesInBoth(before, after)) pair.child(status).compareReferenced(compareResponse);
  const [from, to] = replacement(removed, added);
  if (from !== undefined && to !== undefined) {
    const kind = covers(from, to) ? "success-status-specified" : "success-status-changed";
    pair.reportKey(to, kind, { before: from, after: to });
    pair
      .with({ before: { [to]: before[from] } })
      .child(to)
      .compareReferenced(compareResponse);
  }
  for (const status of removed.filter((one) => one !== from))
    pair.reportKey(status, isSuccess(status) ? "success-status-removed" : "error-status-removed");
  for (const status of added.filter((one) => one !== to)) {
    const isCovered = Object.keys(before).some((range) => covers(range, status));
    const kind = isSuccess(status) ? "success-status-added" : "error-status-added";
    pair.reportKey(status, isCovered ? "success-status-specified" : kind);
  }
}

/** The only success status that was removed and the only one that was added, if there is one of each. */
function replacement(removed: string[], added: string[]): [string?, string?] {
  const [from, ...others] = removed.filter(isSuccess);
  const [to, ...more] = added.filter(isSuccess);
  return from !== undefined && to !== undefined && others.length + more.length === 0 ? [from, to] : [];
}

/** Compares two responses: headers, body, links. */
export function compareResponse(pair: Pair): void {
  compareHeaders(pair.child("headers"));
  compareContent(pair.child("content"), "response");
  const links = pair.child("links");
  const changed = { added: "link-changed", removed: "link-changed" };
  links.compareEntries(changed, (_, name) => links.reportKey(name, "link-changed"));
  pair.compareFlag("x-empty-body", { set: "response-body-optional", unset: "response-body-required" });
  pair.compareRest(["headers", "content", "links", "x-empty-body"]);
}

/** Compares two maps of headers, whose names are case-insensitive. */
function compareHeaders(pair: Pair): void {
  const kinds = { added: "response-header-added", removed: "response-header-removed" };
  const renamed = withNames(pair, (name) => name.toLowerCase(), "header-case-changed");
  renamed.compareEntries(kinds, (header) => header.compareReferenced(compareHeader));
}

/** A pair of maps of which the older one has the names of the newer one for what means the same. */
function withNames(pair: Pair, meaningOf: (name: string) => string, kind: string): Pair {
  const names = new Map(Object.keys(pair.after).map((name) => [meaningOf(name), name]));
  const renamed = Object.entries(pair.before).map(([name, value]): [string, unknown] => {
    const now = Object.hasOwn(pair.after, name) ? name : (names.get(meaningOf(name)) ?? name);
    if (now !== name) pair.reportKey(now, kind);
    return [now, value];
  });
  return pair.with({ before: Object.fromEntries(renamed) });
}

export function compareHeader(pair: Pair): void {
  const kinds = { set: "response-header-required", unset: "response-header-optional" };
  pair.compareFlag("required", kinds, { name: String(pair.path.at(-1)) });
  compareValue(pair);
  pair.compareNames("x-operations", "header-operation");
  pair.compareRest([...serialization, "content", "required", "schema", "x-operations"]);
}

function compareContent(pair: Pair, direction: Direction): void {
  const kinds = { added: `${direction}-media-type-added`, removed: `${direction}-media-type-removed` };
  withNames(pair, mediaTypeOf, "schema-rewritten").compareEntries(kinds, (content) => {
    compareSchema(content, "schema", direction);
    content.compareRest(["schema"]);
  });
}

/** A media type in one form. JSON has no `charset`: it is always UTF-8. */
function mediaTypeOf(name: string): string {
  try {
    const { essence, params } = new MIMEType(name);
    const isNeeded = ([key, value]: [string, string]): boolean =>
      !(key === "charset" && value.toLowerCase() === "utf-8" && essence.endsWith("json"));
    const needed = [...params].filter(isNeeded).map((pair) => pair.join("="));
    return [essence, ...needed.sort()].join(";");
  } catch {
    return name.trim().toLowerCase();
  }
}
