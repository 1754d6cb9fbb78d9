import { describe, expect, test } from "vitest";
import { requestText } from "../../../scripts/docs/parts/request.ts";
import { constraintsOf } from "../../../scripts/docs/schema/constraints.ts";
import { schemaText, typeText } from "../../../scripts/docs/schema/fields.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import type { OpenApiDocument, Schema } from "../../../scripts/document/types.ts";

const document = {
  components: {
    schemas: {
      EmailAddress: {
        type: "string",
        format: "email",
        description: "An email address.",
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
const email = { $ref: "#/components/schemas/EmailAddress" };
const bounce = { $ref: "#/components/schemas/Bounce" };

describe("types", () => {
  test.each<[Schema, string]>([
    [{ type: "string" }, "string"],
    [{ type: "integer", format: "int64" }, "integer"],
    [email, "string (email)"],
    [{ type: "array", items: email }, "array of strings"],
    [{ type: "array", items: bounce }, "array of [Bounce](site:objects/bounce)"],
    [{ type: ["string", "number", "null"] }, "string, number or null"],
    [{ oneOf: [{ type: "string" }, { type: "number", format: "double" }] }, "string or number"],
    [{ type: "string", format: "date-time", "x-utc-offset": "zero" }, "string (date-time in UTC)"],
    [
      { type: ["string", "null"], format: "date-time", "x-utc-offset": "any" },
      "string (date-time with a UTC offset) or null",
    ],
    [{ anyOf: [bounce, { type: "null" }] }, "[Bounce](site:objects/bounce) or null"],
    [{}, "any value"],
  ])("%j", (schema, expected) => {
    expect(typeText(document, schema)).toBe(expected);
  });
});

describe("constraints", () => {
  test.each<[Schema, string]>([
    [{ minLength: 1, maxLength: 1000 }, "1 to 1,000 characters."],
    [{ maxItems: 50 }, "At most 50 items."],
    [{ minimum: 1, maximum: 1 }, "Exactly 1."],
    [{ pattern: "^[`a]$" }, "Matches `` ^[`a]$ ``."],
    [{ enum: ["a", "b", "c"] }, 'One of `"a"`, `"b"` or `"c"`.'],
    [{ "x-extensible-enum": ["a"] }, 'Known values: `"a"`; new values can be added.'],
    [{ default: 25 }, "Default: `25`."],
    [{ not: { anyOf: [{ required: ["html"] }, { required: ["text"] }] } }, "Must not have `html` or `text`."],
    [{ not: { pattern: "[\\r\\n]" } }, "Must not match `[\\r\\n]`."],
    [
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { not: { required: ["html"] } }, then: { required: ["text"] } },
      "Requires `text` if `html` is missing.",
    ],
  ])("%j", (schema, expected) => {
    expect(text(schema)).toBe(expected);
  });

  test("technical limits and requirement ids are small print", () => {
    expect(text(email)).toBe(
      '<small data-pagefind-ignore><span class="technical">Technical limit, not part of the contract: at most 254 characters</span> · <span class="encoded">Requirements: [SEND-3](site:requirements#SEND-3)</span></small>',
    );
  });

  test("the minimum size is not a technical limit", () => {
    const both = { type: "string", minLength: 1, maxLength: 256, "x-technical-limit": true };
    expect(constraintsOf(both)).toEqual({
      rules: ["at least 1 character"],
      technicalLimits: ["at most 256 characters"],
    });
    const range = { type: "integer", minimum: 0, maximum: 9, "x-technical-limit": true };
    expect(constraintsOf(range)).toEqual({ rules: [], technicalLimits: ["0 to 9"] });
  });

  test("an unknown keyword is an error that names it", () => {
    expect(() => text({ type: "array", uniqueItems: true })).toThrow(
      "the reference cannot describe the keyword uniqueItems",
    );
    expect(() => text({ type: "object", additionalProperties: false as unknown as Schema })).toThrow(
      "cannot describe the keyword additionalProperties",
    );
    expect(() => text({ not: { required: ["a", "b"] } })).toThrow("cannot describe the condition");
    expect(() => text({ not: { pattern: "a", maxLength: 1 } })).toThrow("cannot describe the condition");
  });
});

test("fields are a nested list with an anchor each", () => {
  const schema = {
    type: "object",
    required: ["bounce"],
    properties: { bounce: { ...bounce, description: "The reason of the bounce." } },
  };
  expect(text(schema)).toMatchInlineSnapshot(`
    "- **\`bounce\`**<a id="body-bounce" class="self" href="#body-bounce" aria-label="Link to bounce"></a> *[Bounce](site:objects/bounce)* <span class="hidden-text">·</span> <span class="chip required">required</span>

      The reason of the bounce.

      <details class="fold" open>
      <summary>1 field</summary>

      - **\`code\`**<a id="body-bounce-code" class="self" href="#body-bounce-code" aria-label="Link to code"></a> *string* <span class="hidden-text">·</span> <span class="chip required">required</span>

        The code.

      </details>"
  `);
});

test("a request marks the fields that it must have, a response those that it may lack", () => {
  const schema: Schema = {
    required: ["id"],
    properties: { id: { type: "string" }, name: { type: "string" } },
  };
  const marks = (isResponse: boolean): (string | undefined)[] =>
    schemaText({ document, prefix: "body", isResponse }, schema)
      .split("\n- ")
      .map((entry) => /<span class="chip (.*?)">/.exec(entry)?.[1]);
  expect(marks(false)).toEqual(["required", undefined]);
  expect(marks(true)).toEqual([undefined, "optional"]);
});

test("values that the description lists are not repeated", () => {
  const schema: Schema = { type: "string", enum: ["on", "off"] };
  expect(text(schema)).toBe('One of `"on"` or `"off"`.');
  expect(text({ ...schema, description: "The state:\n\n- `on`: It runs.\n- `off`: It does not." })).toBe("");
});

test("the first of several variants has the short anchors", () => {
  const variants = text({
    oneOf: [bounce, { title: "Other", type: "object", properties: { code: { type: "string" } } }],
  });
  expect([...variants.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
    "body-code",
    "body-1-code",
  ]);
});

const withParameters = {
  paths: {
    "/lists/{name}/members": {
      parameters: [
        {
          name: "name",
          in: "path",
          required: true,
          description: "The name of the list.",
          schema: { type: "string", minLength: 1, maxLength: 60 },
          example: "weekly letter",
        },
      ],
      get: { operationId: "listMembers", parameters: [{ $ref: "#/components/parameters/Limit" }] },
    },
  },
  components: {
    parameters: {
      Limit: {
        name: "limit",
        in: "query",
        description: "The maximum number of members in a page.",
        "x-encodes": ["PAGE-4"],
        schema: { $ref: "#/components/schemas/PageSize" },
        example: 50,
      },
    },
    schemas: {
      PageSize: { type: "integer", minimum: 1, maximum: 100, default: 25, description: "A page size." },
    },
  },
} as unknown as OpenApiDocument;

test("path and query parameters are shown with type, constraints, description and example", () => {
  const [placed] = operationsOf(withParameters);
  if (placed === undefined) throw new TypeError("the document has an operation");
  expect(requestText(withParameters, placed)).toMatchInlineSnapshot(`
    "## Parameters

    <div class="fields">

    - **\`name\`**<a id="parameter-name" class="self" href="#parameter-name" aria-label="Link to name"></a> *string, path parameter* <span class="hidden-text">·</span> <span class="chip required">required</span> <span class="hidden-text">·</span> <span class="chip">1 to 60 characters</span>

      The name of the list.

      Example: \`weekly letter\`
    - **\`limit\`**<a id="parameter-limit" class="self" href="#parameter-limit" aria-label="Link to limit"></a> *integer, query parameter* <span class="hidden-text">·</span> <span class="chip">1 to 100</span> <span class="hidden-text">·</span> <span class="chip">default: \`25\`</span>

      The maximum number of members in a page.

      Example: \`50\`

      <small data-pagefind-ignore><span class="encoded">Requirements: [PAGE-4](site:requirements#PAGE-4)</span></small>

    </div>"
  `);
});

test("an unknown key of a parameter is an error", () => {
  const other = structuredClone(withParameters);
  Object.assign(other.components.parameters?.Limit ?? {}, { explode: false });
  const [placed] = operationsOf(other);
  expect(() => placed && requestText(other, placed)).toThrow(
    "the reference does not show the key explode (parameter)",
  );
});
