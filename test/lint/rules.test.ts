import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { mapValues } from "../../lib/objects.ts";
import { customRules } from "../../openapi/lint/custom-rules.ts";
import { toSpectral } from "../../openapi/lint/rule.ts";
import { runSpectral } from "../../openapi/lint/run.ts";
import { isNode, type Node, nodeOf } from "../../scripts/document/values.ts";

/** The cases of a rule: documents in which it finds nothing, and documents in which it finds something. */
interface Cases {
  /** By what they show. The first is complete; every other one, also of `rejects`, is what differs from it (JSON Merge Patch). */
  accepts: Record<string, Node>;
  /** By what is wrong. `findings` are all messages of the rule, by JSON Pointer. */
  rejects: Record<string, Node & { findings: Record<string, string | string[]> }>;
}

const folder = join(import.meta.dirname, "rules");
const cases: Record<string, Cases> = Object.assign(
  {},
  ...readdirSync(folder).map((file) => parse(readFileSync(join(folder, file), "utf8"))),
);

/** RFC 7386. */
function patched(target: unknown, patch: unknown): unknown {
  if (!isNode(patch)) return patch;
  const values = Object.entries(patch).filter(([, value]) => value !== null);
  const kept = Object.entries(nodeOf(target)).filter(([key]) => patch[key] !== null);
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(values.map(([key, value]) => [key, patched(nodeOf(target)[key], value)])),
  };
}

/** Writes out `json: {}`, a content with one media type. */
function withContent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withContent);
  if (!isNode(value)) return value;
  const { json, ...rest } = mapValues(value, withContent);
  return json === undefined ? rest : { ...rest, content: { "application/json": json } };
}

/** Names of the cases for the operation GET /api/v1/things and for a schema, and where these are in the document. */
const pointers = { getThing: "/paths/~1api~1v1~1things/get", Thing: "/components/schemas/Thing" };

function documentOf({ getThing, Thing, findings: _, ...parts }: Node): Node {
  const components = nodeOf(parts.components);
  return nodeOf(
    withContent({
      openapi: "3.1.1",
      info: { title: "Things", version: "1.0.0" },
      ...parts,
      paths: {
        ...nodeOf(parts.paths),
        ...(isNode(getThing) && { "/api/v1/things": { get: { operationId: "getThing", ...getThing } } }),
      },
      components: {
        ...components,
        ...(isNode(Thing) && { schemas: { ...nodeOf(components.schemas), Thing } }),
      },
    }),
  );
}

/** All that the rule finds, as lines of JSON Pointer, severity and message. */
async function found(id: string, document: object): Promise<string[]> {
  const rule = customRules[id];
  if (rule === undefined) throw new Error(`no rule ${id}`);
  const findings = await runSpectral({ rules: { [id]: toSpectral(rule) } }, document);
  return findings.map(({ pointer, severity, message }) => `${pointer} ${severity} ${message}`).sort();
}

const expected = (findings: Record<string, string | string[]>): string[] =>
  Object.entries(findings)
    .flatMap(([at, messages]) => {
      const pointer = at.replace(/^(getThing|Thing)/, (name) => pointers[name as keyof typeof pointers]);
      return [messages].flat().map((message) => `${pointer} error ${message}`);
    })
    .sort();

test("every rule has cases, and all cases are of a rule", () => {
  expect(Object.keys(cases).sort()).toEqual(Object.keys(customRules));
});

describe.each(Object.entries(cases))("%s", (id, { accepts, rejects }) => {
  const [first] = Object.values(accepts);
  const documentWith = (changes: Node): Node => documentOf(nodeOf(patched(first, changes)));

  test("is described, and has cases of both kinds", () => {
    expect(customRules[id]?.description).toMatch(/\.$/);
    expect(Object.keys(accepts)).not.toHaveLength(0);
    expect(Object.keys(rejects)).not.toHaveLength(0);
    expect(Object.values(rejects).filter(({ findings }) => Object.keys(findings).length === 0)).toEqual([]);
  });

  test.each(Object.entries(accepts))("accepts: %s", async (_name, changes) => {
    expect(await found(id, documentWith(changes))).toEqual([]);
  });

  test.each(Object.entries(rejects))("rejects: %s", async (_name, { findings, ...changes }) => {
    expect(await found(id, documentWith(changes))).toEqual(expected(findings));
  });
});
