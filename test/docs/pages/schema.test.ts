import { describe, expect, test } from "vitest";
import { constraintsOf } from "../../../scripts/docs/schema/constraints.ts";
import { schemaText } from "../../../scripts/docs/schema/fields.ts";
import { typeWords } from "../../../scripts/docs/schema/type.ts";
import type { OpenApiDocument, Schema } from "../../../scripts/document/types.ts";

const document = {
  components: {
    schemas: {
      EmailAddress: {
        type: "string",
        format: "email",
        description: "An address.",
        maxLength: 254,
        "x-technical-limit": true,
        "x-encodes": ["SEND-3"],
      },
      Bounce: {
        title: "Bounce",
        type: "object",
        required: ["code"],
        properties: { code: { type: "string", description: "The code." } },
      },
    },
  },
} as unknown as OpenApiDocument;

const text = (schema: Schema): string => schemaText({ document, prefix: "body" }, schema);
const address = { $ref: "#/components/schemas/EmailAddress" };
const bounce = { $ref: "#/components/schemas/Bounce" };

describe("types in words", () => {
  test.each<[Schema, string]>([
    [{ type: "string" }, "string"],
    [{ type: "integer", format: "int64" }, "integer"],
    [address, "string (email)"],
    [{ type: "array", items: address }, "list of strings"],
    [{ type: "array", items: bounce }, "list of [Bounce](site:objects/bounce)"],
    [{ type: ["string", "number", "null"] }, "string, number or null"],
    [{ anyOf: [bounce, { type: "null" }] }, "[Bounce](site:objects/bounce) or null"],
    [{}, "any value"],
  ])("%j", (schema, words) => {
    expect(typeWords(document, schema)).toBe(words);
  });
});

describe("what a schema asks, in words", () => {
  test.each<[Schema, string]>([
    [{ minLength: 1, maxLength: 1000 }, "1 to 1,000 characters."],
    [{ maxItems: 50 }, "At most 50 entries."],
    [{ minimum: 1, maximum: 1 }, "Exactly 1."],
    [{ pattern: "^[`a]$" }, "Matches `` ^[`a]$ ``."],
    [{ enum: ["a", "b", "c"] }, 'One of `"a"`, `"b"` or `"c"`.'],
    [{ "x-extensible-enum": ["a"] }, 'Known so far are `"a"`, and more may come.'],
    [{ not: { anyOf: [{ required: ["html"] }, { required: ["text"] }] } }, "Goes without `html` or `text`."],
    [
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { not: { required: ["html"] } }, then: { required: ["text"] } },
      "Needs `text` where `html` is left out.",
    ],
  ])("%j", (schema, words) => {
    expect(text(schema)).toBe(words);
  });

  test("a bound that is no promise is told apart, and promises are named", () => {
    expect(text(address)).toBe(
      "<small data-pagefind-ignore>Technical bound, not promised: at most 254 characters · Promises: [SEND-3](site:requirements#SEND-3)</small>",
    );
  });

  test("beside a technical bound, the least that is asked for stays a promise", () => {
    const both = { type: "string", minLength: 1, maxLength: 256, "x-technical-limit": true };
    expect(constraintsOf(both)).toEqual({
      rules: ["at least 1 characters"],
      room: ["at most 256 characters"],
    });
    const range = { type: "integer", minimum: 0, maximum: 9, "x-technical-limit": true };
    expect(constraintsOf(range)).toEqual({ rules: [], room: ["0 to 9"] });
  });

  test("a keyword without words ends the build, and says where words go", () => {
    expect(() => text({ type: "array", uniqueItems: true })).toThrow(
      "the reference has no words for the keyword uniqueItems",
    );
    expect(() => text({ type: "object", additionalProperties: false })).toThrow(
      "no words for the keyword additionalProperties",
    );
    expect(() => text({ not: { required: ["a", "b"] } })).toThrow("no words for the condition");
  });
});

test("fields are a list, fields of fields are set in, and each can be linked to", () => {
  const schema = {
    type: "object",
    required: ["bounce"],
    properties: { bounce: { ...bounce, description: "Why it came back." } },
  };
  expect(text(schema)).toMatchInlineSnapshot(`
    "- <a id="body-bounce"></a>**\`bounce\`** *[Bounce](site:objects/bounce), required*

      Why it came back.

      - <a id="body-bounce-code"></a>**\`code\`** *string, required*

        The code."
  `);
});

test("of several shapes the first has the short anchors", () => {
  const shapes = text({
    oneOf: [bounce, { title: "Other", type: "object", properties: { code: { type: "string" } } }],
  });
  expect([...shapes.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id)).toEqual(["body-code", "body-1-code"]);
});
