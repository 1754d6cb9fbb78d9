import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { limits } from "../../generated/limits.ts";
import { requirements } from "../../generated/requirements.ts";
import { ownPolicy, policyFile } from "../../scripts/diff/policy.ts";

const entries = [...ownPolicy().entries.values()];
const file = parse(readFileSync(policyFile, "utf8")) as {
  kinds: { kind: string }[];
  exceptions: { kind: string; name: string }[];
};

test("no kind has two entries", () => {
  expect(file.kinds).toHaveLength(entries.length);
});

test.each(entries.map((entry) => [entry.kind, entry] as const))(
  "%s follows from a requirement that exists, and says all that it has to",
  (_, { requirement, verdict, instead, what }) => {
    expect(Object.keys(requirements)).toContain(requirement);
    expect(["allowed", "breaking", "editorial"]).toContain(verdict);
    if (verdict === "breaking") expect(instead).toMatch(/\.$/);
    expect(what.replaceAll(/\{(name|before|after)\}/g, "")).not.toMatch(/[{}]/);
  },
);

test("each exception is of a kind that there is, about a limit that there is", () => {
  for (const { kind, name } of file.exceptions) {
    expect(ownPolicy().entries.has(kind), kind).toBe(true);
    expect(Object.keys(limits), name).toContain(name);
  }
});
