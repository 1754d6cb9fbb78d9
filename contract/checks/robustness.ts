import { methodsByPath, type OperationId, operations, type Product } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { document, operationsOf, resolve, type Schema } from "../document.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, pathOf, type RequestOptions } from "../exchange.ts";
import { nodesOf } from "../response-checks/encoded.ts";
import { assertRejected } from "../support/assertions.ts";
import { newContactBody, newDetails } from "../support/contacts.ts";
import {
  assertStatus,
  batchOf,
  lookUpMessage,
  message,
  sampleTags,
  schedule,
  secondsAhead,
} from "../support/messages.ts";
import { idempotent, operationsOfProduct } from "../support/requests.ts";
import { hour } from "../support/scheduled-messages.ts";
import { type Attempt, assertNothingChanges, needsToKeep } from "../support/unchanged.ts";

/** A server need not know every method of HTTP. */
const notImplemented = 501;

/** The response to what is unspecified: a success or a client error. */
function assertHandled(exchange: Exchange): Exchange {
  const { status } = exchange;
  const isHandled = isSuccess(exchange) || (status >= 400 && status < 500) || status === notImplemented;
  assert(isHandled, exchange, {
    expected: "a success or a status from 400 to 499, and nothing changed",
    found: `status ${status}`,
  });
  return exchange;
}

const withParameter = operationsOfProduct().filter((id) => operations[id].pathParameters.length > 0);

/** Parts of paths that are no id and no email address of the account: encoded, some of them wrongly. */
const oddParts = [
  ...["%", "%zz", "%E0%A4%A", "%FF%FE%40example.com", "%00", "%20", "no-address", "*", "%25"],
  ...["o%27neil%40example.com", "%F0%9F%8D%9E%40example.com", "..%2F..%2Fme"],
  ...["x".repeat(300), `${"x".repeat(2000)}%40example.com`],
];

/** Each part with a look-up, and with one of the other operations in turn. */
const ofPaths = (product: Product): Attempt[] => {
  const all = withParameter.filter((id) => operations[id].product === product);
  const isLookup = (id: OperationId): boolean => operations[id].method === "GET";
  const changes = all.filter((id) => !isLookup(id));
  return oddParts.flatMap((part, index) =>
    [...all.filter(isLookup), ...changes.slice(index % changes.length).slice(0, 1)].map(
      (operation): Attempt =>
        async (tester) => {
          const { method, path: template } = operations[operation];
          const path = template.replace(/\{\w+\}/, part);
          const body = operation === "rescheduleEmail" ? { scheduled_at: secondsAhead(tester, hour) } : {};
          const options = { method, path, isUnspecified: true };
          if (isLookup(operation)) return assertRejectedWith(await tester.rawRequest(options));
          return assertHandled(await tester.rawRequest({ ...options, body }));
        },
    ),
  );
};

/** The response to a look-up of what does not exist. */
function assertRejectedWith(exchange: Exchange): Exchange {
  assertRejected(exchange);
  return exchange;
}

const depth = 10_000;
/** Lists in lists: a parser that calls itself for each runs out of memory. */
const deepList = "[".repeat(depth) + "]".repeat(depth);
const deepObject = (levels = 100): unknown => (levels === 0 ? "end" : { inner: deepObject(levels - 1) });

/** A body with text in all properties that take any text. */
const bodies: Partial<Record<OperationId, (tester: Tester) => Record<string, unknown>>> = {
  sendEmail: (tester) => message(tester, { html: "<p>Hello</p>", tags: sampleTags }),
  sendBatch: (tester) => batchOf(message(tester, { html: "<p>Hello</p>", tags: sampleTags })),
  upsertContact: (tester) => newContactBody(tester, newDetails(tester)),
  unsubscribeContact: () => ({ reason: "Too many letters." }),
};

/** Changes all texts of a body that need not have a form, such as an email address or a time. */
function withTexts(operation: OperationId, body: Record<string, unknown>, change: (text: string) => string) {
  const schema = operationsOf(document).find(({ id }) => id === operation)?.body ?? {};
  const pointers = nodesOf(schema, body)
    .filter(({ view }) => view.schema.type === "string" && !hasForm(view.schema))
    .map(({ pointer }) => pointer);
  const within = (value: unknown, pointer: string): unknown => {
    if (typeof value === "string") return pointers.includes(pointer) ? change(value) : value;
    if (Array.isArray(value)) return value.map((one, index) => within(one, `${pointer}/${index}`));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, within(one, `${pointer}/${name}`)]),
    );
  };
  return within(body, "");
}

const hasForm = (schema: Schema): boolean =>
  ["format", "pattern", "enum", "const", "not"].some((keyword) => keyword in schema);

/** The properties of an operation's bodies that are objects. */
function objectsIn(operation: OperationId): string[] {
  const schema = resolve<Schema>(
    document,
    operationsOf(document).find(({ id }) => id === operation)?.body ?? {},
  );
  const variants = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const properties = variants.flatMap((one) =>
    Object.entries(resolve<Schema>(document, one).properties ?? {}),
  );
  const isMap = ([, one]: [string, Schema]) =>
    [resolve<Schema>(document, one).type].flat().includes("object");
  return [...new Set(properties.filter(isMap).map(([name]) => name))];
}

type Spoiled = Pick<RequestOptions, "body" | "rawBody" | "headers">;

/** Bodies that many parsers and databases cannot take, in a fixed number for each operation. */
function oddBodies(operation: OperationId, body: Record<string, unknown>): Spoiled[] {
  const json = JSON.stringify(body);
  const nulls = Object.keys(body).map((name) => `${JSON.stringify(name)}:null,`);
  return [
    { rawBody: `\ufeff${json}` },
    { rawBody: json.replace("{", `{${nulls.join("")}`) },
    { rawBody: json.replace(/}$/, `${nulls.length === 0 ? "" : ","}"unspecified":${deepList}}`) },
    { body: Object.fromEntries(Object.keys(body).map((name) => [name, deepObject()])) },
    ...objectsIn(operation).map((name) => ({ body: { ...body, [name]: deepObject() } })),
    ...["\u0000", "\ud83d"].map((text) => ({
      body: withTexts(operation, body, (before) => before + text),
    })),
    ...(operations[operation].idempotent ? mediaTypes : []).map((type) => ({
      body,
      headers: { "content-type": type },
    })),
  ];
}

/** Forms of the media type of JSON, and others. */
const mediaTypes = [
  "APPLICATION/JSON",
  'application/json; charset="UTF-8"',
  "application/json; charset=klingon",
  "application/json;;=",
  "text/plain",
  "*/*",
];

const withBody = operationsOfProduct().filter((id) => operations[id].requestBody !== null);

/** A request to an operation about the message or contact that stays, or about a new one. */
const asking =
  (operation: OperationId, spoiled: (body: Record<string, unknown>, tester: Tester) => Spoiled): Attempt =>
  async (tester, path) => {
    const { method, path: template, pathParameters } = operations[operation];
    const body = bodies[operation]?.(tester) ?? { scheduled_at: secondsAhead(tester, hour) };
    const options = spoiled(body, tester);
    // What a server says of a media type comes from its framework.
    const isUnspecified = options.headers?.["content-type"] !== undefined;
    const address = pathOf(template, pathParameters.length === 0 ? {} : path);
    return assertHandled(
      await tester.rawRequest({ operation, method, path: address, isUnspecified, ...options }),
    );
  };

const ofBodies = (operation: OperationId): Attempt[] =>
  oddBodies(operation, {}).map((_, index) =>
    asking(operation, (body) => oddBodies(operation, body)[index] ?? {}),
  );

/** Headers, some of them with an invalid body. */
const ofHeaders = (operation: OperationId): Attempt[] => [
  asking(operation, (body) => ({ body, headers: { accept: preferences[0] } })),
  ...preferences.map((accept) => asking(operation, () => ({ body: {}, headers: { accept } }))),
  ...["a:b/c d", '{"e":["%00"]}', "a,b; c=1"].map((key) =>
    asking(operation, (body, tester) => ({
      body,
      headers: { "Idempotency-Key": `${key} ${tester.run.unique()}` },
    })),
  ),
];

const preferences = ["text/html, application/json;q=0.9, */*;q=0.1", "application/xml", "*/*;q=0"] as const;

/** Queries and paths that no operation has. */
const addresses = [
  ...["%zz", "%", "a%2Fb", "%00"].map((part) => `/api/v1/${part}`),
  ...["x=%zz", "x=%00", "a[b]=1&a[]=2&a=3", "__proto__[x]=1", `x=${"y".repeat(2000)}`].map(
    (query) => `${operations.getMe.path}?${query}`,
  ),
];

/** Methods of HTTP that no operation has. */
const ofMethods = (product: Product): Attempt[] =>
  Object.keys(methodsByPath)
    .filter((path) => path.includes(product === "email" ? "/emails" : "/newsletter"))
    .flatMap((template) =>
      ["HEAD", "OPTIONS", "PROPFIND"].map(
        (method): Attempt =>
          async (tester, path) => {
            const address = pathOf(template, template.includes("{") ? path : {});
            return assertHandled(await tester.rawRequest({ method, path: address, isUnspecified: true }));
          },
      ),
    );

/** Cancellations that say more than they need to. */
const cancellations: Spoiled[] = [
  { body: {} },
  { body: { reason: "Too late." } },
  { rawBody: "not JSON" },
  { headers: { "content-type": "application/json" } },
];

/** Whether the message is canceled is what the response says. */
async function assertCanceledIfSo(tester: Tester, spoiled: Spoiled): Promise<void> {
  const path = { id: await schedule(tester) };
  const exchange = assertHandled(await tester.request("cancelEmail", { path, ...spoiled }));
  assertStatus(await lookUpMessage(tester, path.id), isSuccess(exchange) ? "canceled" : "scheduled");
}

const group = (title: string, product: Product, attempts: readonly Attempt[]): TestCase => {
  const operation = product === "email" ? "sendEmail" : "upsertContact";
  return testCase(title, { operation, core: false, needs: needsToKeep[product] }, (tester) =>
    assertNothingChanges(tester, product, attempts),
  );
};

const products = ["email", "newsletter"] as const;

/** Requests that are malformed below what the document describes, or that it says nothing of. */
export const robustness: Check[] = [
  check(
    "ERR-13",
    "a malformed request does not end in a server failure, and changes nothing",
    { alone: true },
    [
      ...products.flatMap((product) => [
        group(`odd parts of paths, ${product}`, product, ofPaths(product)),
        group(`HEAD, OPTIONS and another method, ${product}`, product, ofMethods(product)),
      ]),
      ...withBody.map((operation) =>
        group(`odd bodies of ${operation}`, operations[operation].product ?? "email", ofBodies(operation)),
      ),
      testCase("odd queries and paths", { operation: "getMe", core: true }, async (tester) => {
        for (const path of addresses)
          assertHandled(await tester.rawRequest({ method: "GET", path, isUnspecified: true }));
      }),
      testCase(
        "cancellations with a body or a media type",
        { operation: "cancelEmail", core: false, needs: needsToKeep.email },
        async (tester) => {
          for (const spoiled of cancellations) await assertCanceledIfSo(tester, spoiled);
        },
      ),
    ],
  ),
  check(
    ["ERR-10", "ERR-13"],
    "what a request accepts, and the characters of its idempotency key, lead to no other response than a success or a client error",
    { alone: true },
    idempotent.map((operation) =>
      group(operation, operations[operation].product ?? "email", ofHeaders(operation)),
    ),
  ),
];
