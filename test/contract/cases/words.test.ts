import { expect, test } from "vitest";
import { firstDifference } from "../../../contract/difference.ts";
import { fieldOf, noun } from "../../../contract/generated-cases/case.ts";

test.each([
  [[], "", "body"],
  [["subject"], "subject", "subject"],
  [["to", "[]"], "to.*", "entry in to"],
  [["tags", "{}"], "tags.*", "value in tags"],
  [["consent", "detail"], "consent.detail", "detail in consent"],
  [["emails", "[]", "tags", "{}"], "emails.*.tags.*", "value in tags in emails"],
])("%j is the field %j, in titles %j", (steps, field, words) => {
  expect(fieldOf(steps)).toBe(field);
  expect(noun(steps)).toBe(words);
});

test.each([
  [{ a: [1, 2] }, { a: [1, 2] }, undefined],
  [{ a: [1, 2] }, { a: [1, 3] }, "3 instead of 2 at /a/1"],
  [{ a: 1 }, {}, "nothing instead of 1 at /a"],
  [{}, { a: 1 }, "1 instead of nothing at /a"],
  [{ a: {} }, { a: [] }, "[] instead of {} at /a"],
  ["a", undefined, 'nothing instead of "a" as the body'],
])("%j against %j: %s", (expected, found, difference) => {
  expect(firstDifference(expected, found)).toBe(difference);
});
