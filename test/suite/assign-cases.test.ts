import { describe, expect, test } from "vitest";
import { assignCases, type CaseSelectors } from "../contract/assign-cases.ts";
import type { Case } from "../contract/cases/case.ts";

const one = (field: string, keyword: string): Case => ({
  operation: "post",
  where: "body",
  field,
  keyword,
  accepted: false,
  title: `${field} ${keyword}`,
  body: {},
  headers: {},
});

const cases = [one("", "type"), one("tags", "type"), one("tags", "maxItems"), one("tags.*", "type")];
const titles = (claims: CaseSelectors<string>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(assignCases(cases, claims)).map(([law, own]) => [law, own.map(({ title }) => title)]),
  );

test("a case goes to the claim that means it most closely, whatever their order", () => {
  const claims = { rest: [["**"]], tags: [["tags"]], limit: [["tags", "maxItems"]] } as const;
  const want = { rest: [" type", "tags.* type"], tags: ["tags type"], limit: ["tags maxItems"] };
  expect(titles(claims)).toEqual(want);
  expect(titles(Object.fromEntries(Object.entries(claims).reverse()))).toEqual(want);
});

describe("nothing falls to a law by chance:", () => {
  const given: [string, CaseSelectors<string>, string][] = [
    ["a case that no law claims", { a: [[""], ["tags"]] }, 'no law claims "tags.* type"'],
    [
      "a case that two claims mean",
      { a: [["**"]], b: [["tags"]], c: [["tags"]] },
      'several claims mean "tags type"',
    ],
    ["a claim without a case", { a: [["**"]], b: [["cc"]] }, "b claims cc, and there is no such case"],
  ];
  test.each(given)("%s", (_, claims, message) => {
    expect(() => assignCases(cases, claims)).toThrow(message);
  });
});
