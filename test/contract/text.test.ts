import { expect, test } from "vitest";
import { listOf } from "../../contract/text.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a, or b"], "a, or b"],
  [["a", "b (c, d)"], "a and b (c, d)"],
  [["a", "b", "c"], "a, b and c"],
])("a list of %j is read as: %s", (names, text) => {
  expect(listOf(names)).toBe(text);
});
