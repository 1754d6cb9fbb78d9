import { describe, expect, test } from "vitest";
import { assignCases, type CaseSelectors } from "../../../contract/case-requirements/requirements.ts";
import type { Case } from "../../../contract/generated-cases/case.ts";

const one = (field: string, keyword: string): Case => ({
  operation: "post",
  location: "body",
  field,
  path: [],
  keyword,
  accepted: false,
  title: `${field} ${keyword}`,
  body: {},
  headers: {},
  query: {},
});

const cases = [one("", "type"), one("tags", "type"), one("tags", "maxItems"), one("tags.*", "type")];
const titles = (selectors: CaseSelectors<string>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(assignCases(cases, selectors)).map(([key, own]) => [key, own.map(({ title }) => title)]),
  );

test("a case belongs to the most specific selector, in any order", () => {
  const selectors = { rest: [["**"]], tags: [["tags"]], limit: [["tags", "maxItems"]] } as const;
  const want = { rest: [" type", "tags.* type"], tags: ["tags type"], limit: ["tags maxItems"] };
  expect(titles(selectors)).toEqual(want);
  expect(titles(Object.fromEntries(Object.entries(selectors).reverse()))).toEqual(want);
});

describe("an assignment is rejected with", () => {
  const given: [string, CaseSelectors<string>, string][] = [
    ["a case without a selector", { a: [[""], ["tags"]] }, 'no requirement covers "tags.* type"'],
    [
      "a case with two selectors",
      { a: [["**"]], b: [["tags"]], c: [["tags"]] },
      'several requirements cover "tags type"',
    ],
    ["a selector without a case", { a: [["**"]], b: [["cc"]] }, "b covers cc, which has no case"],
  ];
  test.each(given)("%s", (_, selectors, message) => {
    expect(() => assignCases(cases, selectors)).toThrow(message);
  });
});
