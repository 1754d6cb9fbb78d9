import { expect, test } from "vitest";
import { isBoundedPattern, isBoundedString } from "../../../scripts/score/bounds.ts";

const patterns: [string, boolean][] = [
  ["^[a-z]{1,64}$", true],
  ["^\\d{4}-\\d{2}$", true],
  ["^(a|b)$", true],
  ["^a\\+b$", true],
  ["^[+*]$", true],
  ["^colou?r$", true],
  ["^[a-z]+$", false],
  ["^a*$", false],
  ["^a{2,}$", false],
  ["^sched_", false],
  ["abc$", false],
  ["^a|b$", false],
  ["^a\\$", false],
];
test.for(patterns)("the pattern %s is bounded: %s", ([pattern, bounded]) => {
  expect(isBoundedPattern(pattern)).toBe(bounded);
});

const schemas: [Record<string, unknown>, boolean][] = [
  [{ maxLength: 5 }, true],
  [{ enum: ["a"] }, true],
  [{ const: "a" }, true],
  [{ format: "date-time" }, true],
  [{ format: "uuid" }, true],
  [{ pattern: "^a$" }, true],
  [{ format: "email" }, false],
  [{ format: "uri" }, false],
  [{ minLength: 1 }, false],
  [{ "x-extensible-enum": ["a"] }, false],
  [{}, false],
];
test.for(schemas)("a string with %j is bounded: %s", ([schema, bounded]) => {
  expect(isBoundedString({ type: "string", ...schema })).toBe(bounded);
});
