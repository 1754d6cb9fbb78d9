import { expect, onTestFinished, test } from "vitest";
import type { OperationId } from "../../generated/operations.ts";
import type { ParameterTexts, ValidationError } from "../../generated/validators/requests.js";
import type { RequestContext } from "../../sandbox/api/context.ts";
import { errorResponse } from "../../sandbox/api/error-response.ts";
import type { Route } from "../../sandbox/api/paths.ts";
import type { ApiDefinition } from "../../sandbox/app.ts";
import { createApp } from "../../sandbox/app.ts";
import { listen } from "../../sandbox/http/node.ts";
import { loadSeed } from "../../sandbox/seed/load.ts";
import { openService } from "../../sandbox/service.ts";
import { MemoryStore } from "../../sandbox/store/memory.ts";
import { keys, start } from "./rig.ts";

const violation = (instancePath: string, keyword: string, params: object): ValidationError => ({
  ...{ instancePath, keyword, schemaPath: `#/${keyword}` },
  params: params as Record<string, unknown>,
});

/** Parses parameters like a generated validator: an integer `page` in the path, `limit` up to 100 and any `tag` in the query. */
function parse({ path = {}, query = {} }: ParameterTexts) {
  const search = query as URLSearchParams;
  const errors: ValidationError[] = [];
  const [page, limit] = [Number(path.page), Number(search.get("limit") ?? Number.NaN)];
  if (!Number.isInteger(page)) errors.push(violation("/path/page", "type", { type: "integer" }));
  if (!search.has("limit")) errors.push(violation("/query", "required", { missingProperty: "limit" }));
  else if (!Number.isInteger(limit)) errors.push(violation("/query/limit", "type", { type: "integer" }));
  else if (limit > 100) errors.push(violation("/query/limit", "maximum", { limit: 100 }));
  const values = { path: { page }, query: { limit, tag: search.getAll("tag") } };
  return { values, errors: errors.length === 0 ? null : errors };
}

const row = (id: string, path: string, errors: string[]): Route["operation"] => ({
  ...{
    id: id as OperationId,
    method: "GET" as const,
    path,
    tag: "Notes",
    product: null,
    ability: null,
    idempotent: false,
  },
  ...{
    pathParameters: ["page"],
    queryParameters: ["limit", "tag"],
    success: ["200"],
    requestBody: null,
    errors,
  },
});

const echo = ({ path, query }: RequestContext) => ({ status: 200, body: JSON.stringify({ path, query }) });

/** Operations as a document with query parameters would have them. */
const definition: ApiDefinition = {
  operations: [
    row("listNotes", "/api/v1/notes/{page}", ["422.invalid_request"]),
    row("findNotes", "/api/v1/found/{page}", ["404.not_found", "422.invalid_request"]),
  ],
  handlers: { listNotes: echo, findNotes: echo },
  requests: { listNotes: { parameters: { parse } }, findNotes: { parameters: { parse } } },
};

async function started(): Promise<(path: string) => Promise<{ status: number; body: Json }>> {
  const parts = {
    seed: await loadSeed(),
    store: new MemoryStore(),
    access: { exposed: false, control: false },
  };
  const { services, close } = await openService({ clock: { frozen: true, startAt: start } }, parts);
  const app = createApp(services, definition);
  const unreadable = () => app.renderError(errorResponse("500", "unreadable"));
  const server = await listen({ ...app, unreadable, port: 0, host: "127.0.0.1", requestTimeout: 5_000 });
  onTestFinished(async () => {
    await server.close();
    await close();
  });
  return async (path) => {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${keys.all}` } });
    return { status: response.status, body: await response.json() };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the assertions state the shape
type Json = any;

test("the handler gets the path and query parameters as the types of their schemas", async () => {
  const get = await started();
  expect(await get("/api/v1/notes/3?limit=100&tag=a%20b&tag=c&other=x")).toEqual({
    status: 200,
    body: { path: { page: 3 }, query: { limit: 100, tag: ["a b", "c"] } },
  });
});

test.each([
  ["limit=ten", "limit", "Must be a whole number."],
  ["limit=101", "limit", "Is out of range."],
  ["tag=a", "limit", "Is required."],
])("the query %s is rejected with 422, which names %s", async (query, name, sentence) => {
  const get = await started();
  const { status, body } = await get(`/api/v1/notes/1?${query}`);
  expect(status).toBe(422);
  expect(body.error).toMatchObject({ type: "invalid_request", fields: { [name]: [sentence] } });
});

test("an invalid path parameter is rejected with 422, and with 404 by an operation that has it", async () => {
  const get = await started();
  const { status, body } = await get("/api/v1/notes/one?limit=1");
  expect([status, body.error.fields]).toEqual([422, { page: ["Must be a whole number."] }]);
  const found = await get("/api/v1/found/one?limit=1");
  expect([found.status, found.body.error.type]).toEqual([404, "not_found"]);
});
