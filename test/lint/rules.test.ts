import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { customRules } from "../../openapi/lint/custom-rules.ts";
import { toSpectral } from "../../openapi/lint/rule.ts";
import { runSpectral } from "../../openapi/lint/run.ts";
import type { Expected, Invalid, Valid } from "./fragments.ts";

const names = (folder: URL): string[] =>
  readdirSync(folder)
    .map((file) => basename(file, ".ts"))
    .sort();
const cases = new Map<string, { valid: Valid; invalid: Invalid }>();
for (const name of names(new URL("rules", import.meta.url)))
  cases.set(name, await import(`./rules/${name}.ts`));

const inOrder = (found: Expected[]): Expected[] =>
  found.toSorted((one, other) => (one.at + one.message < other.at + other.message ? -1 : 1));

const findings = async (id: string, document: object): Promise<Expected[]> => {
  const rule = customRules[id];
  if (rule === undefined) throw new Error(`no rule ${id}`);
  const found = await runSpectral({ rules: { [id]: toSpectral(rule) } }, document);
  return found.map(({ pointer, severity, message }) => ({ at: pointer, severity, message }));
};

test("every file in openapi/lint/rules is a rule of the ruleset, under its name", () => {
  expect(Object.keys(customRules).sort()).toEqual(
    names(new URL("../../openapi/lint/rules", import.meta.url)),
  );
});

test("every rule has cases, and every file of cases a rule", () => {
  expect([...cases.keys()].sort()).toEqual(Object.keys(customRules).sort());
});

describe.each(Object.entries(customRules))("%s", (id, rule) => {
  const { valid = {}, invalid = {} } = cases.get(id) ?? {};

  test("is described, and has valid and invalid documents", () => {
    expect(rule.description).toMatch(/\.$/);
    expect(Object.keys(valid)).not.toHaveLength(0);
    expect(Object.keys(invalid)).not.toHaveLength(0);
    expect(Object.values(invalid).filter((one) => one.findings.length === 0)).toHaveLength(0);
  });

  test.each(Object.entries(valid))("finds nothing: %s", async (_name, document) => {
    expect(await findings(id, document)).toEqual([]);
  });

  test.each(Object.entries(invalid))("finds: %s", async (_name, { document, findings: expected }) => {
    expect(inOrder(await findings(id, document))).toEqual(inOrder(expected));
  });
});
