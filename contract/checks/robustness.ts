import { methodsByPath, type OperationId, operations, type Product } from "../../generated/operations.ts";
import { isObject, mapValues } from "../../lib/objects.ts";
import { document, operationsOf, resolve, type Schema } from "../document.ts";
import { assert, ifInRun } from "../engine/assert.ts";
import { type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, pathOf, type RawRequest, type RequestOptions } from "../exchange.ts";
import { valueAt, withValue } from "../generated-cases/case.ts";
import { assertClientError, type Json } from "../support/assertions.ts";
import { addContact, newContactBody, newDetails } from "../support/contacts.ts";
import {
  batchOf,
  hour,
  message,
  schedule,
  secondsAhead,
  sends,
  templateMessage,
} from "../support/messages.ts";
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

/** Bodies with texts. */
const bodies: Partial<Record<OperationId, (tester: Tester) => Json>> = {
  sendEmail: (tester) =>
    message(tester, { ...texts, attachments: [{ filename: "hello.txt", content: btoa(freeText) }] }),
  sendBatch: (tester) => batchOf(message(tester, texts)),
  rescheduleEmail: () => ({ scheduled_at: freeText }),
  upsertContact: (tester) =>
    newContactBody(tester, { ...newDetails(tester), first_name: freeText, tags: [freeText] }),
  unsubscribeContact: () => ({ reason: freeText }),
};

type Odd = (body: Json, tester: Tester) => Omit<RequestOptions, "path" | "query"> & { search?: string };

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

/** The places in a body of this schema, `*` for any name; a property is optional if alternatives do not all require it. */
function placesIn(given: Schema): { path: (string | number)[]; schema: Schema; isOptional: boolean }[] {
  const schema = resolve<Schema>(document, given);
  const { anyOf = [schema], oneOf = anyOf, items, additionalProperties } = schema;
  const all = oneOf.map((one) => resolve<Schema>(document, one));
  const properties: Record<string, Schema> = Object.assign({}, ...all.map((one) => one.properties));
  const isNeeded = (name: string): boolean => all.every(({ required }) => required?.includes(name));
  return [[0, items] as const, ["*", additionalProperties] as const, ...Object.entries(properties)].flatMap(
    ([name, one]) => {
      if (!isObject(one)) return [];
      const deeper = placesIn(one).map((place) => ({ ...place, path: [name, ...place.path] }));
      const isOptional = typeof name === "string" && name in properties && !isNeeded(name);
      return [{ path: [name], schema: one, isOptional }, ...deeper];
    },
  );
}

const placesOf = (operation: OperationId) =>
  placesIn(operationsOf(document).find(({ id }) => id === operation)?.body ?? {});

/** Bodies with null as an optional property, each in turn. */
const withNull = (operation: OperationId): Odd[] =>
  placesOf(operation)
    .filter(({ isOptional }) => isOptional)
    .map(({ path }) => (body) => ({ body: withValue({ body, path }, null) }));

/** Whether any text is allowed, or anything at all. */
function isAnyText(given: Schema): boolean {
  const { type = "string", format, pattern, oneOf } = resolve<Schema>(document, given);
  return oneOf?.some(isAnyText) ?? (type === "string" && (format ?? pattern) === undefined);
}

/** A body with a text in a place. What only a message from a template has is in one. */
function withTextAt(tester: Tester, given: Json, path: (string | number)[], text: string): Json {
  const { template } = tester.settings.fixtures;
  const isOfTemplate = path[0] === "template_id" || path[0] === "variables";
  const body = isOfTemplate && template ? templateMessage(tester, template) : given;
  const [name = "X-Order"] = Object.keys(valueAt({ body, path: path.slice(0, -1) }) ?? {});
  return withValue({ body, path: path.map((step) => (step === "*" ? name : step)) }, text) as Json;
}

/** A null character or half a surrogate pair in each such text, in turn; a batch has a message for each. */
function oddTexts(operation: OperationId): Odd[] {
  const paths = placesOf(operation).flatMap(({ schema, path }) => (isAnyText(schema) ? [path] : []));
  const each = (tester: Tester, text: string) =>
    paths.map((path) => withTextAt(tester, message(tester), path.slice(2), text));
  return [`${freeText}\u0000`, `${freeText}\ud83d`].flatMap((text): Odd[] =>
    operation === "sendBatch"
      ? [(_, tester) => ({ body: batchOf(...each(tester, text)) })]
      : paths.map((path) => (body, tester) => ({ body: withTextAt(tester, body, path, text) })),
  );
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
];

const withHeader = (name: string, value: string) => (body: Json) => ({ body, headers: { [name]: value } });

const mediaTypes = [
  ...["application/json; charset=utf-8", "APPLICATION/JSON", "application/json; charset=klingon"],
  ...["application/json;;=", "text/plain"],
].map((value) => withHeader("content-type", value));

/** Requests that prefer another media type or have an odd query; those that change something, only the first one. */
const unusual = (operation: OperationId): Attempt[] => {
  const { method, requestBody } = operations[operation];
  const accept = "text/html, application/json;q=0.9, */*;q=0.1";
  const queries = ["?x=%zz", "?x=%00", "?a[b]=1&a[]=2&a=3&__proto__[x]=1"].map((search) => ({ search }));
  const ways: ReturnType<Odd>[] = [{ headers: { accept } }, ...(method === "GET" ? queries : [])];
  return requestsTo(
    operation,
    ways.map((way) => (body) => ({ ...way, ...(requestBody !== null && { body }) })),
  );
};

/** What is accepted, with an invalid body, and unusual characters in an idempotency key. */
const oddHeaders: Odd[] = [
  () => withHeader("accept", "application/xml")({}),
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
    const { search = "", ...options } = odd(bodies[operation]?.(tester) ?? {}, tester);
    // What a server says of a media type or a query comes from its framework.
    const isUnspecified = search !== "" || options.headers?.["content-type"] !== undefined;
    const own = (await newObject[operation]?.(tester)) ?? pathValues;
    const path = pathOf(template, pathParameters.length === 0 ? {} : own) + search;
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
const oddPaths = ["%zz", "%", "a%2Fb", "%00", "me?x=%zz", `me?x=${"y".repeat(2000)}`].map(
  (part) => `/api/v1/${part}`,
);

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
        ...operationsOfProduct()
          .filter((id) => (operations[id].product ?? "email") === product)
          .flatMap(unusual),
        ...(product === "email" ? requestsTo("cancelEmail", cancellations) : []),
        ...withBody(product).flatMap((id) =>
          requestsTo(id, [
            ...oddBodies,
            ...oddTexts(id),
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
