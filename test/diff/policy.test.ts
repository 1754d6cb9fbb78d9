import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import { requirements } from "../../generated/requirements.ts";
import { knownKinds, policyFile, policyFor, verdicts } from "../../scripts/diff/policy.ts";

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

test("each exception is for a kind and a limit that exist", () => {
  for (const { kind, name } of exceptions) {
    expect(knownKinds(), kind).toContain(kind);
    expect(Object.keys(limits), name).toContain(name);
  }
});
