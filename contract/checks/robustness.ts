import { methodsByPath, type OperationId, operations, type Product } from "../../generated/operations.ts";
import { mapValues } from "../../lib/objects.ts";
import { document, operationsOf, resolve, type Schema } from "../document.ts";
import { assert, ifInRun } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, pathOf, type RawRequest, type RequestOptions } from "../exchange.ts";
import { withValue } from "../generated-cases/case.ts";
import { assertClientError, type Json } from "../support/assertions.ts";
import { addContact, newContactBody, newDetails } from "../support/contacts.ts";
import { batchOf, hour, message, schedule, secondsAhead, sends } from "../support/messages.ts";
import { operationsOfProduct } from "../support/requests.ts";
import { type Attempt, changes, unchangedCase } from "../support/unchanged.ts";
import { shown } from "../text.ts";

/** What is unspecified ends in a success, a client error, 501, or a redirect if no operation is named: some routers clean paths so. */
function assertHandled(exchange: Exchange): Exchange {
  const { status, request } = exchange;
  const isRejected = (status >= (request.operation ? 400 : 300) && status < 500) || status === 501;
  assert(isRejected || isSuccess(exchange), exchange, {
    expected: `a success, ${request.operation ? "" : "a redirect, "}a status from 400 to 499, or 501`,
    found: `status ${status} for ${request.method} ${shown(request.path, 40)}`,
  });
  return exchange;
}

/** A request of whose response nothing is specified. */
const unspecified = async (tester: Tester, request: RawRequest): Promise<Exchange> =>
  assertHandled(await tester.rawRequest({ ...request, isUnspecified: true }));

/** Parts of paths that are no id and no email address of the account: encoded, some of them wrongly. */
const oddParts = [
  ...["%", "%zz", "%E0%A4%A", "%FF%FE%40example.com", "%00", "a%00b%40example.com", "no-address", "*", "%25"],
  ...["o%27neil%40example.com", "%F0%9F%8D%9E%40example.com", "..%2F..%2Fme"],
  ...["x".repeat(300), `${"x".repeat(2000)}%40example.com`],
];

/** Each part with one of the operations in turn. */
const ofPaths = (product: Product): Attempt[] => {
  const all = operationsOfProduct(product).filter((id) => operations[id].pathParameters.length > 0);
  return oddParts.map((part, index): Attempt => {
    const { method, path: template, requestBody } = operations[all[index % all.length] ?? "getMe"];
    return (tester) => {
      const body = requestBody === null ? undefined : { scheduled_at: secondsAhead(tester, hour) };
      return unspecified(tester, { method, path: template.replace(/\{\w+\}/, part), body });
    };
  });
};

/** HEAD, and one of two methods of HTTP that no operation has. */
const ofMethods = (product: Product): Attempt[] =>
  Object.keys(methodsByPath)
    .filter((template) => template.includes(product === "email" ? "/emails" : "/newsletter"))
    .flatMap((template, index) =>
      ["HEAD", index % 2 === 0 ? "OPTIONS" : "PROPFIND"].map(
        (method): Attempt =>
          (tester, path) =>
            unspecified(tester, { method, path: pathOf(template, template.includes("{") ? path : {}) }),
      ),
    );

const freeText = "Hello";
const texts = { subject: freeText, text: freeText, html: `<p>${freeText}</p>`, tags: { order: freeText } };

/** Bodies with a text wherever any text is allowed. */
const bodies: Partial<Record<OperationId, (tester: Tester) => Json>> = {
  sendEmail: (tester) =>
    message(tester, { ...texts, attachments: [{ filename: "hello.txt", content: btoa(freeText) }] }),
  sendBatch: (tester) => batchOf(message(tester, texts)),
  rescheduleEmail: () => ({ scheduled_at: freeText }),
  upsertContact: (tester) =>
    newContactBody(tester, { ...newDetails(tester), first_name: freeText, tags: [freeText] }),
  unsubscribeContact: () => ({ reason: freeText }),
};

type Odd = (body: Json, tester: Tester) => Omit<RequestOptions, "path" | "query">;

const withText =
  (textOf: (json: string) => string, headers: Record<string, string> = {}) =>
  (body: Json) => ({ rawBody: textOf(JSON.stringify(body)), headers });

/** Bodies that are not JSON; each begins or ends like the valid one, if it has anything of it. */
const notJson = [
  withText(() => "not JSON"),
  withText((json) => json.slice(0, -1)),
  withText((json) => `${json}}`),
  withText((json) => `body=${encodeURIComponent(json)}`, {
    "content-type": "application/x-www-form-urlencoded",
  }),
];

/** An empty body, and one that is JSON without being an object. An unsubscribe needs no body. */
const withoutObject = [withText(() => ""), withText(() => "null")];

/** Lists in lists: a parser that calls itself for each of them fails. */
const deepList = "[".repeat(1_000) + "]".repeat(1_000);
const deepObject = (levels = 100): unknown => (levels === 0 ? "end" : { inner: deepObject(levels - 1) });

/** The optional properties in a body of this schema; of alternatives, those that are not required in each. */
function optionalIn(given: Schema): (string | number)[][] {
  const schema = resolve<Schema>(document, given);
  const { anyOf = [schema], oneOf = anyOf, items } = schema;
  const all = oneOf.map((one) => resolve<Schema>(document, one));
  const properties: Record<string, Schema> = Object.assign({}, ...all.map((one) => one.properties));
  return [
    ...(items === undefined ? [] : optionalIn(items).map((path) => [0, ...path])),
    ...Object.entries(properties).flatMap(([name, inner]) => [
      ...(all.every(({ required }) => required?.includes(name)) ? [] : [[name]]),
      ...optionalIn(inner).map((path) => [name, ...path]),
    ]),
  ];
}

/** Bodies with null as an optional property, each in turn. */
function withNull(operation: OperationId): Odd[] {
  const { body = {} } = operationsOf(document).find(({ id }) => id === operation) ?? {};
  return optionalIn(body).map((path) => (whole: Json) => ({ body: withValue({ body: whole, path }, null) }));
}

/** Bodies that many parsers and databases cannot take. */
const oddBodies: Odd[] = [
  withText((json) => `\ufeff${json}`),
  // Each name twice.
  (body) => ({
    rawBody: `${JSON.stringify(mapValues(body, () => null)).slice(0, -1)},${JSON.stringify(body).slice(1)}`,
  }),
  withText((json) => `${json.slice(0, -1)},"unspecified":${deepList}}`),
  (body) => ({ body: mapValues(body, () => deepObject()) }),
  (body) => ({ body: { ...body, variables: deepObject(), fields: deepObject() } }),
  // A null character, and half a surrogate pair.
  ...["\\u0000", "\\ud83d"].map((escaped) =>
    withText((json) => json.replaceAll(freeText, freeText + escaped)),
  ),
];

const withHeader = (name: string, value: string) => (body: Json) => ({ body, headers: { [name]: value } });

const mediaTypes = [
  ...["application/json; charset=utf-8", "APPLICATION/JSON", "application/json; charset=klingon"],
  ...["application/json;;=", "text/plain"],
].map((value) => withHeader("content-type", value));

const preferences = ["text/html, application/json;q=0.9, */*;q=0.1", "application/xml"].map((value) =>
  withHeader("accept", value),
);

/** What is accepted, with an invalid body, and unusual characters in an idempotency key. */
const oddHeaders: Odd[] = [
  ...preferences.map((odd) => () => odd({})),
  ...preferences.slice(0, 1),
  ...["a:b/c d", '{"e":["%00"]}'].map(
    (key) => (body: Json, tester: Tester) =>
      withHeader("Idempotency-Key", `${key} ${tester.run.unique()}`)(body),
  ),
];

/** What requests are about that can succeed. */
const newObject: Partial<Record<OperationId, (tester: Tester) => Promise<Record<string, string>>>> = {
  cancelEmail: async (tester) => ({ id: await schedule(tester) }),
  unsubscribeContact: async (tester) => ({ email: await addContact(tester) }),
};

/** Requests to an operation in these ways. */
const requestsTo = (operation: OperationId, ways: readonly Odd[]): Attempt[] =>
  ways.map((odd) => async (tester, pathValues) => {
    const { method, path: template, pathParameters } = operations[operation];
    const options = odd(bodies[operation]?.(tester) ?? {}, tester);
    // What a server says of a media type comes from its framework.
    const isUnspecified = options.headers?.["content-type"] !== undefined;
    const own = (await newObject[operation]?.(tester)) ?? pathValues;
    const path = pathOf(template, pathParameters.length === 0 ? {} : own);
    return assertHandled(await tester.rawRequest({ operation, method, path, isUnspecified, ...options }));
  });

/** Requests that would change what stays if their bodies could be read. */
const unreadable = (operation: OperationId): Attempt[] =>
  [...notJson, ...(operation === "unsubscribeContact" ? [] : withoutObject)].map(
    (odd) => async (tester, path) => {
      const { body, ...valid } = changes[operation]?.(tester, path) ?? {};
      const whole = (body ?? bodies[operation]?.(tester)) as Json;
      const exchange = await tester.request(operation, { ...valid, ...odd(whole) });
      assertClientError(exchange);
      return exchange;
    },
  );

/** Queries and paths that no operation has. */
const oddPaths = [
  ...["%zz", "%", "a%2Fb", "%00", "newsletter/fields?x=%zz", "newsletter/lists?x=%00"],
  ...["me?a[b]=1&a[]=2&a=3", "me?__proto__[x]=1", `me?x=${"y".repeat(2000)}`],
].map((part) => `/api/v1/${part}`);

/** Cancellations that say more than they need to. */
const cancellations: Odd[] = [
  () => ({ body: { reason: "Too late." } }),
  () => ({ rawBody: "not JSON" }),
  () => ({ headers: { "content-type": "application/json" } }),
];

const subjectOf = (operation: OperationId): Product | "sends" =>
  sends.some((one) => one === operation) ? "sends" : (operations[operation].product ?? "email");

const withBody = (product?: Product): OperationId[] =>
  operationsOfProduct(product).filter((id) => operations[id].requestBody !== null);

/** Requests that are malformed below what the document describes, or that it says nothing of. */
export const robustness: Check[] = [
  check("ERR-13", "a malformed request ends in no server failure, and changes nothing", { alone: true }, [
    ...(["email", "newsletter"] as const).map((product) =>
      unchangedCase(product, product === "email" ? "sends" : product, [
        ...ofPaths(product),
        ...ofMethods(product),
        ...(product === "email" ? requestsTo("cancelEmail", cancellations) : []),
        ...withBody(product).flatMap((id) =>
          requestsTo(id, [
            ...oddBodies,
            ...withNull(id),
            ...mediaTypes.slice(0, operations[id].idempotent ? mediaTypes.length : 1),
          ]),
        ),
      ]),
    ),
    testCase("odd queries and paths", { operation: "getMe", core: true }, async (tester) => {
      for (const path of oddPaths) await ifInRun(unspecified(tester, { method: "GET", path }));
    }),
  ]),
  check(
    ["ERR-10", "ERR-13"],
    "a body that is not a JSON object is rejected with a client error, and changes nothing",
    { alone: true },
    withBody().map((operation) =>
      unchangedCase(operation, subjectOf(operation), unreadable(operation), {
        operation,
        core: operation === "sendEmail",
      }),
    ),
  ),
  check(
    ["ERR-10", "ERR-13"],
    "what a request accepts, and the characters of its idempotency key, lead to a success or a client error",
    { alone: true },
    (["sendEmail", "upsertContact"] as const).map((id) =>
      unchangedCase(id, subjectOf(id), requestsTo(id, oddHeaders)),
    ),
  ),
];
