import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { pointerOf } from "../../scripts/document/json-pointer.ts";
import { locator } from "../../scripts/document/locate.ts";
import { variantOf, withTypeList } from "../../scripts/document/schema-forms.ts";
import { sourceDocument } from "./copies.ts";

/** The paths to every named value of the bundle. */
function* paths(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [...path, key];
    yield* paths(part, [...path, key]);
  }
}

const texts = new Map<string, Promise<string>>();
const textOf = (file: string): Promise<string> => {
  const text = texts.get(file) ?? readFile(resolve(root, file), "utf8");
  texts.set(file, text);
  return text;
};

test("every named value of the bundle is found at its name in the sources", async () => {
  const locate = locator();
  const astray: string[] = [];
  let count = 0;
  for (const path of paths(await sourceDocument())) {
    const key = path.at(-1) ?? "";
    // The bundler makes these: a component stands in a file of its own.
    if (path[0] === "components" && path.length < 4) continue;
    count += 1;
    const { file, line, column } = await locate(pointerOf(path));
    const there = (await textOf(file)).split("\n")[line - 1]?.slice(column - 1) ?? "";
    if (!there.replace(/^['"]/, "").startsWith(key))
      astray.push(`${pointerOf(path)} -> ${file}:${line}:${column}`);
  }
  expect(astray).toEqual([]);
  expect(count).toBeGreaterThan(3000);
});

const places: [string, string][] = [
  ["", "openapi/openapi.yaml:1:1"],
  ["/paths/~1api~1v1~1me/get/operationId", "openapi/paths/me.yaml:2:3"],
  ["/components/schemas/EmailAddresses", "openapi/schemas/EmailAddresses.yaml:1:1"],
  ["/components/securitySchemes/bearerAuth/scheme", "openapi/openapi.yaml"],
  ["/x-errors/1", "openapi/errors.yaml"],
  ["/x-gateway-responses/405/content", "openapi/responses/MethodNotAllowed.yaml"],
  ["/components/schemas/EmailAddresses/no/such/place", "openapi/schemas/EmailAddresses.yaml:1:1"],
  ["/no-such-place", "openapi/openapi.yaml:1:1"],
];

test.each(places)("%j is found in %s", async (pointer, expected) => {
  const { file, line, column } = await locator()(pointer);
  expect(`${file}:${line}:${column}`).toMatch(new RegExp(`^${expected}`));
});

const text = { type: "string", maxLength: 9 };
const number = { type: "number", format: "double" };

test("a choice between single types becomes a list of types with the keywords of each", () => {
  const choice = { description: "A value.", oneOf: [text, number, { type: "null" }] };
  expect(withTypeList(choice)).toEqual({
    description: "A value.",
    maxLength: 9,
    type: ["string", "number", "null"],
  });
});

test("the format of a string stays, that of a number does not", () => {
  const choice = { oneOf: [{ type: "string", format: "email" }, number] };
  expect(withTypeList(choice)).toEqual({ format: "email", type: ["string", "number"] });
});

test.each([
  { type: ["string", "null"] },
  { oneOf: [text, { type: "object" }] },
  { oneOf: [text, { $ref: "#/components/schemas/Count" }] },
  { oneOf: [text, { type: "string", format: "uri" }] },
  { oneOf: [number, { type: "integer" }] },
  { oneOf: [{ type: "string", enum: ["auto"] }, number] },
  { anyOf: [text, number] },
])("%j is left as it is", (schema) => {
  expect(withTypeList(schema)).toBe(schema);
});

const id = { type: "string" };
const prefixed = { type: "string", pattern: "^sched_.*$" };
const varied = {
  type: "object",
  required: ["id"],
  properties: { id, at: {}, to: {}, note: {} },
  "x-variant-by-request": "at",
  if: { required: ["at"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { properties: { id: prefixed } },
  else: { required: ["to"] },
};

test("with the property, the variant has the schemas of then, and not what else requires", () => {
  expect(variantOf(varied, true)).toEqual({
    type: "object",
    required: ["id", "at"],
    properties: { id: prefixed, at: {}, note: {} },
  });
});

test("without the property, the variant has what else requires", () => {
  expect(variantOf(varied, false)).toEqual({
    type: "object",
    required: ["id", "to"],
    properties: { id, to: {}, note: {} },
  });
});
