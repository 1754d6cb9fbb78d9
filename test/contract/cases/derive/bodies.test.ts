import { describe, expect, test } from "vitest";
import { always, derived, object, results } from "./derived.ts";

test("a property without an example is filled in", () => {
  const cases = derived(object({ a: { type: "string", maxLength: 2 } }), [{ b: 1 }]);
  expect(results(cases, "maxLength")).toEqual([
    [true, { b: 1, a: "te" }],
    [false, { b: 1, a: "tex" }],
  ]);
});

test("a property is filled in with the example of its component", () => {
  const schemas = { Tag: { type: "string", maxLength: 2 } };
  const schema = object({ a: { $ref: "#/components/schemas/Tag" }, b: { $ref: "#/components/schemas/Tag" } });
  const cases = derived(schema, [{ a: "q" }], { schemas });
  expect(results(cases, "maxLength")).toContainEqual([false, { a: "q", b: "qxx" }]);
});

test("every alternative has cases in a matching example", () => {
  const schemas = {
    One: object({ first: { type: "string", maxLength: 1 } }),
    Two: object({ second: { type: "string", maxLength: 1 } }),
  };
  const isValid = (name: string, value: unknown) =>
    (name === "One" ? "first" : "second") in (value as object);
  const schema = { oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }] };
  const cases = derived(schema, [{ first: "a" }, { second: "b" }], {
    schemas,
    validators: { ...always, isValid },
  });
  expect(
    cases
      .filter(({ accepted, keyword }) => !accepted && keyword === "maxLength")
      .map(({ title, body }) => [title, body]),
  ).toEqual([
    ["post (One): a first of 2 characters is rejected", { first: "ax" }],
    ["post (Two): a second of 2 characters is rejected", { second: "bx" }],
  ]);
});

test("the smallest body is still valid", () => {
  const accepts = (_: string, body: unknown) => "a" in (body as object);
  const cases = derived(object({ a: {}, b: {}, c: {} }), [{ a: 1, b: 2, c: 3 }], {
    validators: { ...always, accepts },
  });
  expect(results(cases, "properties")).toEqual([[true, { a: 1 }]]);
});

test("a technical limit has no cases", () => {
  const schema = object({ a: { type: "string", maxLength: 3, "x-technical-limit": true } });
  expect(results(derived(schema, [{ a: "b" }]), "maxLength")).toEqual([]);
});

describe("generation fails with", () => {
  test.each([
    ["a keyword without cases", object({ a: { type: "array", uniqueItems: true } }), "has uniqueItems"],
    ["a pattern without texts", object({ a: { type: "string", pattern: "^b$" } }), "add them to values.ts"],
    ["a `not` of another form", object({}, { not: { type: "string" } }), "has `not` in a form"],
    [
      "an `if` of another form",
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      object({}, { if: { required: ["a"] }, then: { required: ["b"] } }),
      "has `if` in a form",
    ],
    ["an alternative without a name", { oneOf: [object({})] }, "has an alternative without a name"],
  ])("%s", (_, schema, message) => {
    expect(() => derived(schema, [{ a: "b" }])).toThrow(message);
  });

  test("the same request as a valid and an invalid case", () => {
    const schema = object({ a: { type: "string", enum: ["b", "no b"] } });
    expect(() => derived(schema, [{ a: "c" }])).toThrow("are the same request");
  });

  test("an alternative without an example", () => {
    const schemas = { One: object({}) };
    const schema = { oneOf: [{ $ref: "#/components/schemas/One" }] };
    const validators = { ...always, isValid: () => false };
    expect(() => derived(schema, [{}], { schemas, validators })).toThrow(
      "no example of post has a One in it: add one",
    );
  });
});
