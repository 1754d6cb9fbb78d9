import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import { requirements } from "../../generated/requirements.ts";
import { root } from "../../scripts/common/paths.ts";
import { knownKinds, policyFile, policyFor, verdicts } from "../../scripts/diff/comparison.ts";

// The parser rejects a kind that is defined twice.
const { exceptions } = parse(readFileSync(policyFile, "utf8")) as {
  exceptions: { kind: string; name: string }[];
};

test.each(knownKinds())("%s is complete and names a requirement that exists", (kind) => {
  const { requirement, verdict, advice, message } = policyFor(kind, "any");
  expect(Object.keys(requirements)).toContain(requirement);
  expect(verdicts).toContain(verdict);
  expect(advice).toMatch(/\.$/);
  expect(message).toMatch(/^[A-Z].*\.$/);
  expect(message.replaceAll(/\{(name|before|after)\}/g, "")).not.toMatch(/[{}]/);
});

test("the guide has every requirement of versioning with its text, where the output of `diff` points", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8");
  const rules = /^## Rules$([\s\S]*?)^## /m.exec(guide)?.[1] ?? "";
  const rows = Object.fromEntries(
    [...rules.matchAll(/^\| (VER-\d+) \| (.*) \|$/gm)].map(([, id, text]) => [id, text]),
  );
  const wanted = Object.entries(requirements).filter(([id]) => id.startsWith("VER-"));
  expect(rows).toEqual(Object.fromEntries(wanted.map(([id, { text }]) => [id, text])));
  for (const kind of knownKinds()) expect(rows).toHaveProperty(policyFor(kind, "any").requirement);
});

test("each exception is for a kind and a limit that exist", () => {
  for (const { kind, name } of exceptions) {
    expect(knownKinds(), kind).toContain(kind);
    expect(Object.keys(limits), name).toContain(name);
  }
});
