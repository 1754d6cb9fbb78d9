import { readFileSync } from "node:fs";
import { join } from "node:path";
import createClient from "openapi-fetch";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, test } from "vitest";
import document from "../../generated/openapi.json" with { type: "json" };
import type { components, paths } from "../../generated/types.ts";
import { generatedFolder } from "../../scripts/common/paths.ts";
import { dereference } from "../../scripts/document/references.ts";
import type { OpenApiDocument } from "../../scripts/document/types.ts";
import { type Mock, startMock } from "../../scripts/mock/prism.ts";

const file = join(generatedFolder, "types.ts");
const tree = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);

/** The members of a type, by name. */
function membersOf(node: ts.Node): Map<string, ts.PropertySignature> {
  const found = new Map<string, ts.PropertySignature>();
  const literal = ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node) ? node.members : [];
  for (const member of literal) {
    if (ts.isPropertySignature(member)) found.set(member.name.getText(tree).replaceAll('"', ""), member);
  }
  return found;
}

function topLevel(name: string): Map<string, ts.PropertySignature> {
  const node = tree.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  return membersOf(node as ts.Node);
}

const inside = (member: ts.PropertySignature | undefined): Map<string, ts.PropertySignature> =>
  membersOf(member?.type as ts.Node);

/** Comments without their stars and with single spaces, so that wrapped texts compare. */
const commentOf = (member: ts.PropertySignature | undefined): string =>
  (member?.getFullText(tree).split(member.getText(tree))[0] ?? "").replace(/(\s*\n\s*\*?)+\s*/g, " ");
const plain = (text: string | undefined): string =>
  (text ?? "")
    .replaceAll("*/", "*\\/")
    .replace(/\s*\n\s*/g, " ")
    .trim();

const bundle = document as unknown as OpenApiDocument;
const schemas = Object.entries(bundle.components.schemas ?? {});
const schemaTypes = inside(topLevel("components").get("schemas"));

test("every schema is a type with its description", () => {
  expect([...schemaTypes.keys()]).toEqual(schemas.map(([name]) => name));
  for (const [name, schema] of schemas) {
    expect(commentOf(schemaTypes.get(name)), name).toContain(plain(schema.description));
  }
});

describe("every property is there, described, and optional unless it is required", () => {
  // The variants that a request decides are in types.check.ts.
  const objects = schemas.filter(
    ([, schema]) => schema.properties !== undefined && schema["x-variant-by-request"] === undefined,
  );
  test.for(objects)("%s", ([name, { properties = {}, required = [] }]) => {
    const members = inside(schemaTypes.get(name));
    const never = [...members].filter(([, { type }]) => type?.kind === ts.SyntaxKind.NeverKeyword);
    const excluded = new Set(never.map(([key]) => key));
    expect([...members.keys()].filter((key) => !excluded.has(key)).sort()).toEqual(
      Object.keys(properties).sort(),
    );
    for (const [key, property] of Object.entries(properties)) {
      const { description } = { ...dereference(document, property), ...property };
      expect(commentOf(members.get(key)), key).toContain(plain(description as string | undefined));
      expect(members.get(key)?.questionToken === undefined, key).toBe(required.includes(key));
    }
  });
});

test("every closed list of values is a union of exactly these", () => {
  const lists = schemas.filter(([, schema]) => Array.isArray(schema.enum));
  expect(lists.length).toBeGreaterThan(2);
  for (const [name, schema] of lists) {
    const values = (schema.enum as unknown[]).map((value) => JSON.stringify(value));
    expect(schemaTypes.get(name)?.type?.getText(tree).split(" | "), name).toEqual(values);
  }
});

test("every open list of values is a union of the known ones and any string", () => {
  const lists = schemas.filter(([, schema]) => schema["x-extensible-enum"] !== undefined);
  expect(lists.map(([name]) => name)).toEqual(["ErrorType", "EventType"]);
  for (const [name, schema] of lists) {
    const known = (schema["x-extensible-enum"] ?? []).map((value) => JSON.stringify(value));
    expect(schemaTypes.get(name)?.type?.getText(tree).split(" | "), name).toEqual([
      ...known,
      "(string & {})",
    ]);
  }
});

describe("every response has its headers", () => {
  const operationTypes = topLevel("operations");
  const operations = Object.values(bundle.paths).flatMap((item) =>
    Object.values(item).filter((operation): operation is never => "operationId" in (operation as object)),
  ) as { operationId: string; responses: Record<string, { headers?: Record<string, never> }> }[];
  test.for(operations)("$operationId", ({ operationId, responses }) => {
    const types = inside(inside(operationTypes.get(operationId)).get("responses"));
    expect([...types.keys()].sort()).toEqual(Object.keys(responses).sort());
    for (const [status, response] of Object.entries(responses)) {
      if (response.headers === undefined) continue;
      const headers = inside(inside(types.get(status)).get("headers"));
      expect([...headers.keys()].sort()).toEqual(Object.keys(response.headers).sort());
      for (const [name, header] of Object.entries(response.headers)) {
        const { required = false } = dereference<{ required?: boolean }>(document, header);
        expect(headers.get(name)?.questionToken === undefined, `${status} ${name}`).toBe(required);
      }
    }
  });
});

describe("the types work with openapi-fetch against the mock", () => {
  let mock: Mock;
  beforeAll(async () => {
    mock = await startMock();
  });
  afterAll(() => mock.close());

  const client = () =>
    createClient<paths>({ baseUrl: mock.url, headers: { Authorization: "Bearer any-key" } });
  const body = { from: "shop@mail.example.com", to: ["ada@example.com"], subject: "Hello", text: "Hello" };

  it("a send gives its data typed", async () => {
    const { data, error } = await client().POST("/api/v1/emails", { body });
    expect(error).toBeUndefined();
    expect(data?.id).toBe("01JD7Q2M4T8VX3W5");
    expectTypeOf(data).toEqualTypeOf<components["schemas"]["SendResponse"] | undefined>();
  });

  it("data is narrowed once the error is excluded, also under 2XX", async () => {
    const response = await client().GET("/api/v1/emails/{id}", { params: { path: { id: "sched_1" } } });
    if (response.error !== undefined) throw new Error(response.error.error.message);
    expectTypeOf(response.data.status).toEqualTypeOf<components["schemas"]["MessageStatus"]>();
    expect(response.data.status).toBe("sent");
  });

  it("an error gives its type, which stays open to values that come later", async () => {
    const { error } = await client().POST("/api/v1/emails", {
      body,
      headers: { Prefer: "code=409, example=idempotency_conflict" },
    });
    expect(error?.error.type).toBe("idempotency_conflict");
    expectTypeOf<"a_type_of_next_year">().toExtend<components["schemas"]["ErrorType"]>();
  });

  it("a body that fits neither variant does not compile", () => {
    type Body = components["schemas"]["SendRequest"];
    expectTypeOf<{ from: string; to: string; subject: string }>().not.toExtend<Body>();
    expectTypeOf<{ from: string; to: string[] }>().not.toExtend<Body>();
  });
});
