import { methodsByPath, type OperationId, operations, type Product } from "../../generated/operations.ts";
import { assert } from "../engine/assert.ts";
import { type Check, check, type TestCase, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, pathOf, type RequestOptions } from "../exchange.ts";
import { newContactBody, newDetails } from "../support/contacts.ts";
import {
  assertStatus,
  batchOf,
  lookUpMessage,
  message,
  schedule,
  secondsAhead,
} from "../support/messages.ts";
import { idempotent, operationsOfProduct } from "../support/requests.ts";
import { hour } from "../support/scheduled-messages.ts";
import { type Attempt, assertNothingChanges, needsToKeep } from "../support/unchanged.ts";
import { shown } from "../text.ts";

/** A server need not know every method of HTTP. */
const notImplemented = 501;

/** The response to what is unspecified: a success, unless nothing could succeed, or a client error. */
function assertHandled(exchange: Exchange, canSucceed = true): Exchange {
  const { status } = exchange;
  const isRejected = (status >= 400 && status < 500) || status === notImplemented;
  assert(isRejected || (canSucceed && isSuccess(exchange)), exchange, {
    expected: `${canSucceed ? "a success or " : ""}a status from 400 to 499`,
    found: `status ${status} for ${exchange.request.method} ${shown(exchange.request.path, 40)}`,
  });
  return exchange;
}

const productOf = (operation: OperationId): Product => operations[operation].product ?? "email";

/** Parts of paths that are no id and no email address of the account: encoded, some of them wrongly. */
const oddParts = [
  ...["%", "%zz", "%E0%A4%A", "%FF%FE%40example.com", "%00", "%20", "no-address", "*", "%25"],
  ...["o%27neil%40example.com", "%F0%9F%8D%9E%40example.com", "..%2F..%2Fme"],
  ...["x".repeat(300), `${"x".repeat(2000)}%40example.com`],
];

/** Each part with a look-up, and with one of the other operations in turn. */
const ofPaths = (product: Product): Attempt[] => {
  const all = operationsOfProduct(product).filter((id) => operations[id].pathParameters.length > 0);
  const [lookup, ...changes] = all.toSorted((one) => (operations[one].method === "GET" ? -1 : 1));
  return oddParts.flatMap((part, index) =>
    [lookup, changes[index % changes.length]].map(
      (operation): Attempt =>
        async (tester) => {
          const { method, path } = operations[operation ?? "getMe"];
          const body = method === "GET" ? {} : { body: { scheduled_at: secondsAhead(tester, hour) } };
          const options = { method, path: path.replace(/\{\w+\}/, part), isUnspecified: true, ...body };
          return assertHandled(await tester.rawRequest(options), method !== "GET");
        },
    ),
  );
};

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

const freeText = "Hello";
const texts = { subject: freeText, text: freeText, html: `<p>${freeText}</p>`, tags: { order: freeText } };

/** Bodies with a text wherever any text is allowed. */
const bodies: Partial<Record<OperationId, (tester: Tester) => Record<string, unknown>>> = {
  sendEmail: (tester) => message(tester, texts),
  sendBatch: (tester) => batchOf(message(tester, texts)),
  rescheduleEmail: (tester) => ({ scheduled_at: secondsAhead(tester, hour) }),
  upsertContact: (tester) =>
    newContactBody(tester, { ...newDetails(tester), first_name: freeText, tags: [freeText] }),
  unsubscribeContact: () => ({ reason: freeText }),
};

type Sent = Pick<RequestOptions, "body" | "rawBody" | "headers">;
type Odd = (body: Record<string, unknown>, tester: Tester) => Sent;

const depth = 1_000;
/** Lists in lists: a parser that calls itself for each of them fails. */
const deepList = "[".repeat(depth) + "]".repeat(depth);
const deepObject = (levels = 100): unknown => (levels === 0 ? "end" : { inner: deepObject(levels - 1) });

const each = (body: Record<string, unknown>, value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.keys(body).map((name) => [name, value]));

/** Adds an escaped character to all free texts. */
const withCharacter =
  (escaped: string): Odd =>
  (body) => ({ rawBody: JSON.stringify(body).replaceAll(freeText, freeText + escaped) });

/** Bodies that many parsers and databases cannot take. */
const oddBodies: Odd[] = [
  (body) => ({ rawBody: `\ufeff${JSON.stringify(body)}` }),
  // Each name twice.
  (body) => ({
    rawBody: `${JSON.stringify(each(body, null)).slice(0, -1)},${JSON.stringify(body).slice(1)}`,
  }),
  (body) => ({ rawBody: `${JSON.stringify(body).slice(0, -1)},"unspecified":${deepList}}` }),
  (body) => ({ body: each(body, deepObject()) }),
  (body) => ({ body: { ...body, variables: deepObject(), fields: deepObject() } }),
  withCharacter("\\u0000"),
  // Half a surrogate pair.
  withCharacter("\\ud83d"),
];

/** Forms of the media type of JSON, and others. */
const mediaTypes = [
  ...["APPLICATION/JSON", 'application/json; charset="UTF-8"', "application/json; charset=klingon"],
  ...["application/json;;=", "text/plain", "*/*"],
].map(
  (type): Odd =>
    (body) => ({ body, headers: { "content-type": type } }),
);

const preferences = ["text/html, application/json;q=0.9, */*;q=0.1", "application/xml", "*/*;q=0"];

/** What is accepted, with an invalid body, and unusual characters in an idempotency key. */
const oddHeaders: Odd[] = [
  ...preferences.map(
    (accept): Odd =>
      () => ({ body: {}, headers: { accept } }),
  ),
  (body) => ({ body, headers: { accept: preferences[0] ?? "" } }),
  ...["a:b/c d", '{"e":["%00"]}', "a,b; c=1"].map(
    (key): Odd =>
      (body, tester) => ({ body, headers: { "Idempotency-Key": `${key} ${tester.run.unique()}` } }),
  ),
];

/** Requests to an operation: about the message or contact that stays, or about a new one. */
const asking =
  (operation: OperationId) =>
  (odd: Odd): Attempt =>
  async (tester, path) => {
    const { method, path: template, pathParameters } = operations[operation];
    const options = odd(bodies[operation]?.(tester) ?? {}, tester);
    // What a server says of a media type comes from its framework.
    const isUnspecified = options.headers?.["content-type"] !== undefined;
    const address = pathOf(template, pathParameters.length === 0 ? {} : path);
    return assertHandled(
      await tester.rawRequest({ operation, method, path: address, isUnspecified, ...options }),
    );
  };

/** Queries and paths that no operation has. */
const addresses = [
  ...["%zz", "%", "a%2Fb", "%00"].map((part) => `/api/v1/${part}`),
  ...["x=%zz", "x=%00", "a[b]=1&a[]=2&a=3", "__proto__[x]=1", `x=${"y".repeat(2000)}`].map(
    (query) => `${operations.getMe.path}?${query}`,
  ),
];

/** Cancellations that say more than they need to. */
const cancellations: Sent[] = [
  { body: { reason: "Too late." } },
  { rawBody: "not JSON" },
  { headers: { "content-type": "application/json" } },
];

const group = (title: string, product: Product, attempts: readonly Attempt[]): TestCase => {
  const operation = product === "email" ? "sendEmail" : "upsertContact";
  return testCase(title, { operation, core: false, needs: needsToKeep[product] }, (tester) =>
    assertNothingChanges(tester, product, attempts),
  );
};

const withBody = operationsOfProduct().filter((id) => operations[id].requestBody !== null);

/** Requests that are malformed below what the document describes, or that it says nothing of. */
export const robustness: Check[] = [
  check(
    "ERR-13",
    "a malformed request does not end in a server failure, and changes nothing",
    { alone: true },
    [
      ...(["email", "newsletter"] as const).flatMap((product) => [
        group(`odd parts of paths, ${product}`, product, ofPaths(product)),
        group(`HEAD, OPTIONS and another method, ${product}`, product, ofMethods(product)),
      ]),
      ...withBody.map((id) => {
        const odd = [...oddBodies, ...(operations[id].idempotent ? mediaTypes : [])];
        return group(`odd bodies of ${id}`, productOf(id), odd.map(asking(id)));
      }),
      testCase("odd queries and paths", { operation: "getMe", core: true }, async (tester) => {
        for (const path of addresses)
          assertHandled(await tester.rawRequest({ method: "GET", path, isUnspecified: true }));
      }),
      testCase(
        "cancellations with a body or a media type",
        { operation: "cancelEmail", core: false, needs: needsToKeep.email },
        async (tester) => {
          for (const sent of cancellations) {
            const path = { id: await schedule(tester) };
            const exchange = assertHandled(await tester.request("cancelEmail", { path, ...sent }));
            const status = isSuccess(exchange) ? "canceled" : "scheduled";
            assertStatus(await lookUpMessage(tester, path.id), status);
          }
        },
      ),
    ],
  ),
  check(
    ["ERR-10", "ERR-13"],
    "what a request accepts, and the characters of its idempotency key, lead to a success or a client error",
    { alone: true },
    idempotent.map((id) => group(id, productOf(id), oddHeaders.map(asking(id)))),
  ),
];
