import { describe, expect, test } from "vitest";
import type { OpenApiDocument, Schema } from "../../../../contract/document.ts";
import { deriveCases } from "../../../../contract/generated-cases/derive.ts";
import { always } from "./derived.ts";

/** The query values with their expected results, of an operation with one query parameter. */
function queryCases(schema: Schema, rest: object = {}): [string, boolean, unknown][] {
  const parameter = { name: "a", in: "query", schema, ...rest };
  const get = { operationId: "list", parameters: [parameter], responses: {} };
  const cases = deriveCases(
    { paths: { "/": { get } }, components: {} } as unknown as unknown as OpenApiDocument,
    always,
  );
  return cases.map(({ keyword, accepted, query }) => [keyword, accepted, query.a]);
}

describe("a query parameter has cases for", () => {
  test.each([
    [
      "integers",
      { type: "integer", minimum: 1, maximum: 100 },
      [
        ["maximum", true, "100"],
        ["maximum", false, "101"],
        ["minimum", true, "1"],
        ["minimum", false, "0"],
        ["type", false, "text"],
        ["type", false, "1.5"],
      ],
    ],
    [
      "strings",
      { type: "string", minLength: 1, maxLength: 3 },
      [
        ["maxLength", true, "lis"],
        ["maxLength", false, "list"],
        ["minLength", true, "l"],
        ["minLength", false, ""],
      ],
    ],
    [
      "enums",
      { type: "string", enum: ["new", "old"] },
      [
        ["enum", true, "new"],
        ["enum", true, "old"],
        ["enum", false, "no new"],
      ],
    ],
    ["booleans", { type: "boolean" }, [["type", false, "text"]]],
  ] as [string, Schema, unknown[]][])("%s", (_, schema, want) => {
    expect(queryCases(schema)).toEqual(want);
  });

  test("a missing required parameter", () => {
    expect(queryCases({ type: "string" }, { required: true, example: "b" })).toEqual([
      ["required", false, undefined],
    ]);
  });

  test("only the bound that is not technical", () => {
    const schema = { type: "integer", minimum: 1, maximum: 100, "x-technical-limit": "minimum" } as const;
    expect(queryCases(schema).filter(([keyword]) => keyword !== "type")).toEqual([
      ["maximum", true, "100"],
      ["maximum", false, "101"],
    ]);
  });

  test("no technical limit, and no value of an opaque string", () => {
    expect(queryCases({ type: "string", maxLength: 4096, "x-technical-limit": true })).toEqual([]);
  });

  test("arrays, which are not generated, with an error", () => {
    expect(() => queryCases({ type: "array" })).toThrow("add them to parameters.ts");
  });
});
