import { expect, test } from "vitest";
import { requestText } from "../../../scripts/docs/parts/request.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";

const document = {
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
  const [placed] = operationsOf(document);
  if (placed === undefined) throw new TypeError("the document has an operation");
  expect(requestText(document, placed)).toMatchInlineSnapshot(`
    "## Parameters

    <div class="fields">

    - **\`name\`**<a id="parameter-name" class="self" href="#parameter-name" aria-label="Link to name"></a> *string, path parameter* <span class="chip required">required</span> <span class="chip">1 to 60 characters</span>

      The name of the list.

      Example: \`weekly letter\`
    - **\`limit\`**<a id="parameter-limit" class="self" href="#parameter-limit" aria-label="Link to limit"></a> *integer, query parameter* <span class="chip">1 to 100</span> <span class="chip">default: \`25\`</span>

      The maximum number of members in a page.

      Value: A page size. Example: \`50\`

      <small data-pagefind-ignore><span class="encoded">Requirements: [PAGE-4](site:requirements#PAGE-4)</span></small>

    </div>

    Example URL: \`/lists/weekly%20letter/members?limit=50\`"
  `);
});

test("an unknown key of a parameter is an error", () => {
  const other = structuredClone(document);
  Object.assign(other.components.parameters?.Limit ?? {}, { explode: false });
  const [placed] = operationsOf(other);
  expect(() => placed && requestText(other, placed)).toThrow(
    "the reference does not show the key explode (parameter)",
  );
});
