import {
  child,
  compareEntries,
  compareFlag,
  compareNames,
  compareReferenced,
  compareRest,
  type Direction,
  namesInBoth,
  namesOnlyIn,
  type Pair,
  reportKey,
} from "./change.ts";
import { compareSchema } from "./schema.ts";

const isSuccess = (status: string): boolean => /^[23]/.test(status);
const covers = (range: string, status: string): boolean => range.toUpperCase() === `${status[0]}XX`;

/** Compares the responses of an operation by status. `2XX` stands for a success status that is unspecified. */
export function compareResponses(pair: Pair): void {
  const { before, after } = pair;
  const [removed, added] = [namesOnlyIn(before, after), namesOnlyIn(after, before)];
  for (const status of namesInBoth(before, after)) compareReferenced(child(pair, status), compareResponse);
  const [from, to] = replacement(removed, added);
  if (from !== undefined && to !== undefined) {
    const kind = covers(from, to) ? "success-status-specified" : "success-status-changed";
    reportKey(pair, to, kind, { before: from, after: to });
    const renamed = { ...pair, before: { [to]: before[from] } };
    compareReferenced(child(renamed, to), compareResponse);
  }
  for (const status of removed.filter((one) => one !== from))
    reportKey(pair, status, isSuccess(status) ? "success-status-removed" : "error-status-removed");
  for (const status of added.filter((one) => one !== to)) {
    const isCovered = Object.keys(before).some((range) => covers(range, status));
    const kind = isSuccess(status) ? "success-status-added" : "error-status-added";
    reportKey(pair, status, isCovered ? "success-status-specified" : kind);
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
  compareHeaders(child(pair, "headers"));
  compareContent(child(pair, "content"), "response");
  const links = child(pair, "links");
  const changed = { added: "link-changed", removed: "link-changed" };
  compareEntries(links, changed, (_, name) => reportKey(links, name, "link-changed"));
  compareFlag(pair, "x-empty-body", { set: "response-body-optional", unset: "response-body-required" });
  compareRest(pair, ["headers", "content", "links", "x-empty-body"]);
}

/** Compares two maps of headers, whose names are case-insensitive. */
function compareHeaders(pair: Pair): void {
  const names = new Map(Object.keys(pair.after).map((name) => [name.toLowerCase(), name]));
  const renamed = Object.entries(pair.before).map(([name, header]): [string, unknown] => {
    const now = names.get(name.toLowerCase()) ?? name;
    if (now !== name) reportKey(pair, now, "header-case-changed");
    return [now, header];
  });
  const before = Object.fromEntries(renamed);
  const kinds = { added: "response-header-added", removed: "response-header-removed" };
  compareEntries({ ...pair, before }, kinds, (header) => compareReferenced(header, compareHeader));
}

/** Compares two response headers. */
export function compareHeader(pair: Pair): void {
  const { context, before, after, path } = pair;
  const kinds = { set: "response-header-required", unset: "response-header-optional" };
  compareFlag(pair, "required", kinds, { name: String(path.at(-1)) });
  compareSchema(context, [before.schema, after.schema], [...path, "schema"], "response");
  compareNames(pair, "x-operations", "header-operation");
  compareRest(pair, ["required", "schema", "x-operations"]);
}

/** Compares the media types of a body. */
export function compareContent(pair: Pair, direction: Direction): void {
  const kinds = { added: `${direction}-media-type-added`, removed: `${direction}-media-type-removed` };
  compareEntries(pair, kinds, (content) => {
    const { context, before, after, path } = content;
    compareSchema(context, [before.schema, after.schema], [...path, "schema"], direction);
    compareRest(content, ["schema"]);
  });
}
