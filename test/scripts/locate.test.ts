import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { pointerOf } from "../../scripts/document/json-pointer.ts";
import { locator } from "../../scripts/document/locate.ts";
import { sourceDocument } from "./document.ts";

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
  const { locate } = locator();
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
  ["/paths/~1api~1v1~1emails/post/operationId", "openapi/paths/emails.yaml:2:3"],
  ["/components/schemas/EmailAddresses", "openapi/schemas/EmailAddresses.yaml:1:1"],
  ["/components/securitySchemes/bearerAuth/scheme", "openapi/openapi.yaml"],
  ["/x-errors/1", "openapi/errors.yaml"],
  ["/x-gateway-responses/405/content", "openapi/responses/MethodNotAllowed.yaml"],
  ["/components/schemas/EmailAddresses/no/such/place", "openapi/schemas/EmailAddresses.yaml:1:1"],
  ["/no-such-place", "openapi/openapi.yaml:1:1"],
];

test.each(places)("%j is found in %s", async (pointer, expected) => {
  const { file, line, column } = await locator().locate(pointer);
  expect(`${file}:${line}:${column}`).toMatch(new RegExp(`^${expected}`));
});
