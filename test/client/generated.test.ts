import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient, type MethodOf } from "../../client/src/client.ts";
import { withPathParameter, withQuery } from "../../client/src/connect.ts";
import { type Client, type Connection, connect, type RequestOptions } from "../../client/src/index.ts";
import type * as functions from "../../client/src/operations.ts";
import type { ApiPromise } from "../../client/src/response.ts";
import type { OperationErrors } from "../../generated/client/errors.ts";
import type { Row } from "../../generated/client/table.ts";
import * as table from "../../generated/client/table.ts";
import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { root } from "../../scripts/common/paths.ts";

// The table for the client agrees with the other generated files.

test("each operation has its method, path, idempotency and query parameters", () => {
  for (const { id, method, path, idempotent, queryParameters } of Object.values(operations)) {
    const [ownMethod, ownPath, isIdempotent = false, query = []] = new Map<string, unknown>(
      Object.entries(table),
    ).get(id) as table.Row;
    const expected = { method, path, idempotent, query: queryParameters };
    expect({ method: ownMethod, path: ownPath, idempotent: isIdempotent, query }).toEqual(expected);
  }
  const keyed = Object.values(operations).filter(({ idempotent }) => idempotent);
  expect(table.idempotentOperations).toEqual(keyed.map(({ method, path }) => [method, path]));
});

test("the patterns match the retryable errors and no other", () => {
  for (const { status, type, retry } of Object.values(errors))
    for (const one of type === null ? [undefined, "internal", "send_rejected"] : [type]) {
      const said = `${status}.${one}`;
      expect([table.safeToRetry.test(said), table.retryableIfIdempotent.test(said)], said).toEqual([
        retry === "after",
        retry === "backoff",
      ]);
    }
  for (const said of [
    "429.rate_limited_too",
    "429.undefined",
    "1500.x",
    "50.0",
    "504.x",
    "undefined.undefined",
  ])
    expect(table.safeToRetry.test(said) || table.retryableIfIdempotent.test(said), said).toBe(false);
});

const text = (file: string): Promise<string> => readFile(join(root, "generated/client", file), "utf8");

test("the types of bodies are flat: no references to a tree of components", async () => {
  const models = await text("models.ts");
  expect(models).not.toContain("components[");
  expect(models).toMatch(/type SendResponse = \{[^}]*\n {4}id: string;/);
  expect(models).toMatch(/interface ContentSend \{[^}]*\n {4}to: string\[\];/);
  expect(models).toContain('export type MessageStatus = "scheduled" | "queued"');
  // Only schemas of requests and responses.
  expect(models).not.toContain("PageCursor");
});

test("a property that a variant excludes has a type that names the conflict", async () => {
  const models = await text("models.ts");
  expect(models).toMatch(
    /interface TemplateSend \{[^}]*subject\?: \(typeof Conflict\)\["subject cannot be combined with template_id"\];/,
  );
  expect(models).toContain('"path cannot be combined with content" = ');
  // Excluded from every variant.
  expect(models).toMatch(/interface BatchTemplateMessage \{[^}]*scheduled_at\?: never;/);
});

/** The methods of a resource, and of the resources in it. */
type MethodsOf<Resource> = {
  [Name in keyof Resource]: Resource[Name] extends (...input: never) => unknown
    ? Resource[Name]
    : MethodsOf<Resource[Name]>;
}[keyof Resource];

/** Does not compile if an operation of the document has no function in operations.ts, or no method in client.ts. */
type EveryOperation<
  WithoutFunction extends never = Exclude<keyof OperationErrors, keyof typeof functions>,
  WithoutMethod extends never = {
    [Id in keyof typeof functions]: MethodOf<(typeof functions)[Id]> extends MethodsOf<Client> ? never : Id;
  }[keyof typeof functions],
> = WithoutFunction | WithoutMethod;

const forgotten: EveryOperation[] = [];

/** The URLs and methods that a function requests. */
async function requestsOf(
  act: (options: RequestOptions & { key: string; baseUrl: string }) => unknown,
): Promise<string[]> {
  const requests: string[] = [];
  const fetch = async (url: string, { method }: RequestInit): Promise<Response> => {
    requests.push(`${method} ${new URL(url).pathname}${new URL(url).search}`);
    return Response.json({});
  };
  await act({ key: "k", baseUrl: "https://api.example.com", fetch } as never);
  return requests;
}

test("each operation of the document has a method of the client", async () => {
  expect(forgotten).toEqual([]);
  const requests = await requestsOf(async (options) => {
    const client: Client = createClient(options);
    const { waitFor: _, ...emails } = client.emails;
    const { sendAll: __, ...batch } = client.emails.batch;
    for (const resource of [emails, batch, client.newsletter, client.newsletter.contacts, client])
      for (const method of Object.values(resource))
        if (typeof method === "function") await (method as (...input: unknown[]) => unknown)("x", {});
  });
  const paths = Object.values(operations).map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`,
  );
  expect(new Set(requests)).toEqual(new Set(paths));
});

// An operation that this document does not have: a list with query parameters, as the generator writes it.
const listNotes = [
  "GET",
  "/api/v1/folders/{folder}/notes",
  undefined,
  ["limit", "cursor", "tag"],
] as const satisfies Row;
interface ListNotesQuery {
  limit?: number;
  cursor?: string;
  tag?: string[];
}
const list = (
  api: Connection,
  folder: string,
  query: ListNotesQuery = {},
  options?: RequestOptions,
): ApiPromise<object> => api(withPathParameter(withQuery(listNotes, query), folder), undefined, options);

test.each<[string, ListNotesQuery | undefined, string]>([
  ["none", undefined, ""],
  ["an undefined one", { limit: undefined } as never, ""],
  ["in the order of the document", { cursor: "a b&c", limit: 10 }, "?limit=10&cursor=a+b%26c"],
  ["an array", { tag: ["a", "b"] }, "?tag=a&tag=b"],
  ["zero and an empty text", { limit: 0, cursor: "" }, "?limit=0&cursor="],
  ["an unknown one", { page: 2 } as never, ""],
])("query parameters: %s", async (_, query, search) => {
  expect(await requestsOf((options) => list(connect(options), "f{}?", query))).toEqual([
    `GET /api/v1/folders/f%7B%7D%3F/notes${search}`,
  ]);
});

test("an operation with a path parameter keeps its idempotency key", async () => {
  const keys: unknown[] = [];
  const fetch = async (_: string, { headers }: RequestInit): Promise<Response> => {
    keys.push(new Headers(headers).get("idempotency-key"));
    return Response.json({});
  };
  const api = connect({ key: "k", baseUrl: "https://api.example.com", fetch });
  const row: Row = ["POST", "/api/v1/folders/{folder}", true];
  await api(withPathParameter(withQuery(row, {}), "f"), {}, { idempotencyKey: "one" });
  expect(keys).toEqual(["one"]);
});
