import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mapSchema } from "../../../scripts/document/schemas.ts";
import type { Schema } from "../../../scripts/document/types.ts";
import { documentation, literal } from "../../../scripts/document/typescript.ts";
import { prepared } from "../../../scripts/generate/validators/compile.ts";
import { formats, isBase64 } from "../../../scripts/generate/validators/runtime.ts";

describe("literals", () => {
  test("are TypeScript for the same value, in the same order", () => {
    fc.assert(
      // Written as JSON and read again, a value has no -0, which JSON.stringify writes as 0.
      fc.property(
        fc.json({ maxDepth: 4 }).map((text) => JSON.parse(JSON.stringify(JSON.parse(text)))),
        (value) => {
          expect(new Function(`return (${literal(value)});`)()).toEqual(value);
        },
      ),
    );
  });

  test("keep a property that is called __proto__", () => {
    const value = JSON.parse('{"__proto__": [1]}');
    expect(literal(value)).toBe('{ ["__proto__"]: [1] }');
    expect(new Function(`return (${literal(value)});`)()).toEqual(value);
  });

  test("keep names such as 500 in their places when they come as a Map", () => {
    expect(
      literal(
        new Map([
          ["b", 1],
          ["500", 2],
        ] as const),
      ),
    ).toBe('{ b: 1, "500": 2 }');
  });

  test("break where a line would be too long", () => {
    const text = "x".repeat(60);
    expect(literal({ one: text, two: [text] })).toBe(`{\n  one: "${text}",\n  two: ["${text}"],\n}`);
  });
});

test("a comment cannot be ended by its text", () => {
  expect(documentation("a */ b")).toBe("/** a *\\/ b */\n");
  expect(documentation("a\n\nb", 2)).toBe("  /**\n   * a\n   *\n   * b\n   */\n");
});

describe("schemas", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      maxLength: { type: "string", maxLength: 3 },
      items: { type: "array", items: { type: "integer" } },
    },
    propertyNames: { maxLength: 9 },
    patternProperties: { "^x": { type: "null" } },
    dependentSchemas: { a: { required: ["b"] } },
    additionalProperties: { anyOf: [{ type: "string" }, { not: { type: "null" } }] },
    if: { required: ["a"] },
    examples: [{ type: "not a schema" }],
  };

  test("are found wherever JSON Schema has them, and nowhere else; they are copied whole when nothing changes", () => {
    const found: Schema[] = [];
    const copy = mapSchema(schema, (inner) => {
      found.push(inner);
      return inner;
    });
    expect(found).toHaveLength(12);
    expect(found).not.toContainEqual({ type: "not a schema" });
    expect(copy).toEqual(schema);
  });
});

describe("schemas for validators", () => {
  const title: Schema = {
    type: "string",
    description: "d",
    minLength: 1,
    maxLength: 9,
    "x-technical-limit": true,
  };

  test("keep technical limits for requests and drop them for responses", () => {
    expect(prepared(title, "requests")).toEqual({
      type: "string",
      minLength: 1,
      maxLength: 9,
    });
    expect(prepared(title, "responses")).toEqual({ type: "string", minLength: 1 });
  });

  test("keep other bounds, and properties that are named like a keyword", () => {
    const schema = {
      type: "object",
      maxProperties: 2,
      properties: { title: { maxLength: 3 }, "x-a": { minimum: 1 } },
    };
    expect(prepared(schema, "responses")).toEqual(schema);
  });

  test("refer to each other by name", () => {
    const reference = (pointer: string) => prepared({ $ref: pointer }, "requests");
    expect(reference("#/components/schemas/Note")).toEqual({ $ref: "Note" });
    expect(reference("#/components/schemas/Note/properties/id")).toEqual({ $ref: "Note#/properties/id" });
  });

  test("check base64 as a format", () => {
    expect(prepared({ type: "string", contentEncoding: "base64" }, "requests")).toEqual({
      type: "string",
      format: "base64",
    });
  });
});

describe("base64", () => {
  test("is what Node writes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) =>
        isBase64(Buffer.from(bytes).toString("base64")),
      ),
    );
  });

  test("may have line breaks, and is nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."AQgw9+/=-_ \r\n"), maxLength: 12 }), (text) => {
        const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
        expect(isBase64(text)).toBe(canonical.test(text.replaceAll(/[\r\n]/g, "")));
      }),
    );
  });
});

test("no format looks into a text that is longer than any it is for", () => {
  const format = formats.email as (text: string) => boolean;
  expect(format("ada@example.com")).toBe(true);
  expect(format(`${"a".repeat(70_000)}@example.com`)).toBe(false);
  expect(formats.int64).toMatchObject({ type: "number" });
});
