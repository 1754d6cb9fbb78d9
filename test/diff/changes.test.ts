import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import { requirements } from "../../generated/requirements.ts";
import { root } from "../../scripts/common/paths.ts";
import { type Comparison, policyFile, policyFor, verdicts } from "../../scripts/diff/comparison.ts";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/inputs.ts";
import type { Node } from "../../scripts/document/values.ts";
import { documentsOf, type LabelledChange, labelledChanges } from "./changes/change.ts";

// The parser rejects a kind that is defined twice.
const { kinds, exceptions } = parse(readFileSync(policyFile, "utf8")) as {
  kinds: object;
  exceptions: { kind: string; name: string }[];
};
const knownKinds = Object.keys(kinds);

const release = await frozenRelease("1.0.0");
const results = labelledChanges.map((change): [LabelledChange, Comparison] => [
  change,
  diff(...documentsOf(release, change)),
]);

describe("each labelled change has the verdict and the requirement of its label", () => {
  test.each(results.map(([change, result]) => [change.title, change, result] as const))(
    "%s",
    (_, change, { counts, differences }) => {
      const verdict = verdicts.find((one) => counts[one] > 0);
      expect(verdict).toBe(change.verdict);
      const leading = differences.filter((one) => one.verdict === verdict);
      expect(leading.map(({ requirement }) => requirement)).toContain(change.requirement);
    },
  );
});

test("no two labelled changes have the same title, and there are at least 120 of them", () => {
  const titles = new Set(labelledChanges.map(({ title }) => title));
  expect(titles.size).toBe(labelledChanges.length);
  expect(labelledChanges.length).toBeGreaterThanOrEqual(120);
});

test("the guide has the number of labelled changes", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8").replaceAll(/\s+/g, " ");
  expect(guide).toMatch(new RegExp(`\\b${labelledChanges.length} labelled changes`));
});

test("no place is reported twice", () => {
  for (const [{ title }, { differences }] of results) {
    const places = differences.map(({ document, pointer }) => `${document} ${pointer}`);
    expect(new Set(places).size, title).toBe(places.length);
  }
});

test("a parameter that is written in another way is reported once", () => {
  const revision = structuredClone(release);
  const { parameters } = revision.components as Record<string, Record<string, Node>>;
  Object.assign(parameters?.IdempotencyKeyParameter ?? {}, { style: "simple", explode: false });
  const { differences } = diff(release, revision);
  expect(differences.map(({ kind }) => kind)).toEqual(["schema-rewritten"]);
});

const web = { type: "string", const: "web" };

test.each<[what: string, before: Node, after: Node, kinds: string[]]>([
  [
    "a constant that is an enum, too",
    { ...web, enum: ["web"] },
    { ...web, const: "app", enum: ["app"] },
    ["request-const-changed"],
  ],
  [
    "an enum beside a constant",
    { ...web, enum: ["web"] },
    { ...web, enum: ["web", "app"] },
    ["schema-rewritten"],
  ],
  [
    "a constant that becomes one of the values of its enum",
    { ...web, enum: ["web", "app"] },
    { type: "string", enum: ["web", "app"] },
    ["request-enum-value-added"],
  ],
  ["a constant of another type", web, { type: "integer", const: 1 }, ["request-type-changed"]],
  [
    "an enum of another type",
    { type: "string", enum: ["1"] },
    { type: "integer", enum: [1] },
    ["request-type-changed"],
  ],
])("one change is reported once: %s", (_, before, after, kinds) => {
  const withProperty = (schema: Node) =>
    withEntry(["components", "schemas", "Consent", "properties"], "user_agent", schema);
  const { differences } = diff(withProperty(before), withProperty(after));
  expect(differences.map(({ kind }) => kind)).toEqual(kinds);
});

test.each<[what: string, before: Node, after: Node, kinds: string[]]>([
  ["to deepObject", {}, { style: "deepObject" }, ["parameter-style-changed"]],
  ["to deepObject, written out", {}, { style: "deepObject", explode: true }, ["parameter-style-changed"]],
  [
    "from deepObject to a list",
    { style: "deepObject", explode: true },
    { style: "form", explode: false },
    ["parameter-style-changed"],
  ],
  [
    "with explode, which means nothing beside deepObject",
    { style: "deepObject" },
    { style: "deepObject", explode: true },
    ["schema-rewritten"],
  ],
])("a change of how a parameter is written is reported once: %s", (_, before, after, kinds) => {
  const written = (keywords: Node) => {
    const copy = structuredClone(release);
    const { parameters } = copy.components as Record<string, Record<string, Node>>;
    Object.assign(parameters?.PageLimit ?? {}, keywords);
    return copy;
  };
  const { differences } = diff(written(before), written(after));
  expect(differences.map(({ kind }) => kind)).toEqual(kinds);
});

test("only a keyword that the comparison does not support is reported as unknown", () => {
  const unknown = results.filter(([, { differences }]) =>
    differences.some(({ kind }) => kind === "unknown-keyword"),
  );
  expect(unknown.map(([{ title }]) => title)).toEqual(["an unsupported keyword is used"]);
});

test("each kind of the policy is covered by a labelled change", () => {
  const found = new Set(results.flatMap(([, { differences }]) => differences.map(({ kind }) => kind)));
  expect(knownKinds.filter((kind) => !found.has(kind))).toEqual([]);
});

test("each breaking difference has advice, and no message has an unfilled placeholder", () => {
  const all = results.flatMap(([, { differences }]) => differences);
  expect(all.filter(({ verdict, advice }) => verdict === "breaking" && advice === "")).toEqual([]);
  expect(
    all.filter(({ message, advice }) => /\{(name|owner|before|after)\}/.test(`${message}${advice}`)),
  ).toEqual([]);
});

test("messages name properties and parameters, never an index or a flag", () => {
  const named = results.flatMap(([, { differences }]) =>
    differences.flatMap(({ message }) => [...message.matchAll(/`([^`]*)`/g)].map(([, name]) => name)),
  );
  const unhelpful =
    /^(\d+|readOnly|writeOnly|deprecated|schema|in|items|required|uniqueItems|anyOf|allOf|not)$/;
  expect(named.filter((name) => unhelpful.test(name ?? ""))).toEqual([]);
});

test.each([
  [
    ["parameters", "IdempotencyKeyParameter", "in"],
    "query",
    "Moves the parameter `Idempotency-Key` from header to query.",
  ],
  [
    ["headers", "MonthlyQuota", "x-operations"],
    ["sendEmail"],
    "Removes the header `MonthlyQuota` from the responses of `sendBatch`.",
  ],
])("a change of a component is reported with its name: %s", (path, value, message) => {
  const changed = withEntry(["components", ...path.slice(0, -1)], path.at(-1) ?? "", value);
  expect(diff(release, changed).differences.map((one) => one.message)).toContain(message);
});

test.each(["properties", "items"])(
  "a change below any number of %s is found, or the command says that it is too deep",
  (key) => {
    const documentOf = (levels: number, leaf: Node): Node => {
      let schema = leaf;
      for (let level = 0; level < levels; level += 1)
        schema = { [key]: key === "properties" ? { name: schema } : schema };
      const content = { "application/json": { schema } };
      return { openapi: "3.1.0", paths: { "/a": { post: { requestBody: { content }, responses: {} } } } };
    };
    const changesOf = (levels: number) =>
      diff(documentOf(levels, { type: "string" }), documentOf(levels, { type: "string", maxLength: 5 }));
    for (const levels of [48, 100, 240]) expect(changesOf(levels).counts.breaking, `${levels}`).toBe(1);
    expect(() => changesOf(600)).toThrow("has more than 500 levels");
  },
);

const operationWith = (given: Node): Node => ({
  openapi: "3.1.0",
  paths: { "/a": { post: { operationId: "a", responses: {}, ...given } } },
});

test("a value is written in another way with `content` than with `schema`", () => {
  const schema = { type: "string" };
  const content = { "application/json": { schema } };
  const parameter = (value: Node): Node =>
    operationWith({ parameters: [{ name: "q", in: "query", ...value }] });
  const header = (value: Node): Node =>
    operationWith({ responses: { "200": { description: "", headers: { Page: value } } } });
  for (const documentOf of [parameter, header]) {
    const [plain, written] = [documentOf({ schema }), documentOf({ content })];
    for (const [base, revision] of [
      [plain, written],
      [written, plain],
    ] as const) {
      const kinds = diff(base, revision).differences.map(({ kind }) => kind);
      expect(kinds).toEqual(["parameter-style-changed"]);
    }
  }
});

test("a type that no value of the enum has means nothing", () => {
  const bodyOf = (schema: Node): Node =>
    operationWith({ requestBody: { content: { "application/json": { schema } } } });
  const kinds = (base: Node, revision: Node) =>
    diff(bodyOf(base), bodyOf(revision)).differences.map(({ kind }) => kind);
  const [one, both] = [
    { type: "string", enum: ["a"] },
    { type: ["string", "null"], enum: ["a"] },
  ];
  expect(kinds(both, one)).toEqual(["schema-rewritten"]);
  expect(kinds(one, both)).toEqual(["schema-rewritten"]);
  expect(kinds({ ...both, enum: ["a", null] }, one)).toContain("request-type-narrowed");
  const integer = { type: "integer", enum: [1] };
  expect(kinds({ ...integer, type: ["number", "string"] }, { ...integer, type: "number" })).toEqual([
    "schema-rewritten",
  ]);
});

/** The release with an entry in an object of it. */
function withEntry(path: string[], name: string, value: unknown): Node {
  const changed = structuredClone(release);
  const object = path.reduce((node, key) => node[key] as Node, changed);
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return changed;
}

const message = ["components", "schemas", "Message"];
const [string, responses] = [{ type: "string" }, ["paths", "/api/v1/me", "get", "responses"]];
const headers = ["components", "responses", "RateLimited", "headers"];
const cases: [what: string, path: string[], value: unknown, added: string, removed: string][] = [
  ["a property", [...message, "properties"], string, "response-property-added", "response-property-removed"],
  ["a component", message.slice(0, 2), string, "component-added", "unreferenced-component-removed"],
  ["a keyword", message, true, "unknown-keyword", "unknown-keyword"],
  ["an error status", responses, { description: "" }, "error-status-added", "error-status-removed"],
  ["a response header", headers, { schema: string }, "response-header-added", "response-header-removed"],
];

const names = ["constructor", "toString", "hasOwnProperty", "__proto__"];

test.each(names.flatMap((name) => cases.map(([what, ...given]) => [what, name, ...given] as const)))(
  "%s that is called %s is found when it is added and when it is removed",
  (_what, name, path, value, added, removed) => {
    const changed = withEntry(path, name, value);
    const kinds = (base: Node, revision: Node) =>
      diff(base, revision).differences.map((one) => [one.kind, one.pointer.split("/").at(-1)]);
    expect(kinds(release, changed)).toEqual([[added, name]]);
    expect(kinds(changed, release)).toEqual([[removed, name]]);
    expect(kinds(changed, structuredClone(changed))).toEqual([]);
  },
);

test.each(knownKinds)("%s is complete and names a requirement that exists", (kind) => {
  const { requirement, verdict, advice, message } = policyFor(kind, "any");
  expect(Object.keys(requirements)).toContain(requirement);
  expect(verdicts).toContain(verdict);
  expect(advice).toMatch(/\.$/);
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message.replaceAll(/\{(name|owner|before|after)\}/g, "")).not.toMatch(/[{}]/);
});

test("the guide has every requirement of versioning with its text, where the output of `diff` points", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8");
  const rules = /^## Rules$([\s\S]*?)^## /m.exec(guide)?.[1] ?? "";
  const rows = Object.fromEntries(
    [...rules.matchAll(/^\| (VER-\d+) \| (.*) \|$/gm)].map(([, id, text]) => [id, text]),
  );
  const wanted = Object.entries(requirements).filter(([id]) => id.startsWith("VER-"));
  expect(rows).toEqual(Object.fromEntries(wanted.map(([id, { text }]) => [id, text])));
  for (const kind of knownKinds) expect(rows).toHaveProperty(policyFor(kind, "any").requirement);
});

test("each exception is for a kind and a limit that exist", () => {
  for (const { kind, name } of exceptions) {
    expect(knownKinds, kind).toContain(kind);
    expect(Object.keys(limits), name).toContain(name);
  }
});
