import { expect, test } from "vitest";
import { diff } from "../../scripts/diff/documents.ts";
import { frozenRelease } from "../../scripts/diff/releases.ts";
import type { Node } from "../../scripts/document/values.ts";

const release = await frozenRelease("1.0.0");

/** The release with an entry in an object of it. */
function withEntry(path: string[], name: string, value: unknown): Node {
  const document = structuredClone(release);
  const object = path.reduce((node, key) => node[key] as Node, document);
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return document;
}

const message = ["components", "schemas", "Message"];
const cases: [what: string, path: string[], value: unknown, added: string, removed: string][] = [
  [
    "a property",
    [...message, "properties"],
    { type: "string" },
    "response-property-added",
    "response-property-removed",
  ],
  [
    "a component",
    ["components", "schemas"],
    { type: "string" },
    "component-added",
    "unreferenced-component-removed",
  ],
  ["a keyword", message, true, "unknown-keyword", "unknown-keyword"],
  [
    "an error status",
    ["paths", "/api/v1/me", "get", "responses"],
    { description: "" },
    "error-status-added",
    "error-status-removed",
  ],
  [
    "a response header",
    ["components", "responses", "RateLimited", "headers"],
    { schema: { type: "string" } },
    "response-header-added",
    "response-header-removed",
  ],
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
