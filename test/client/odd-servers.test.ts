import { inspect } from "node:util";
import { expect, test } from "vitest";
import { reliableFetch } from "../../client/src/fetch.ts";
import {
  type ApiError,
  type ConnectionError,
  connect,
  fieldsByMessage,
  type RequestEvent,
} from "../../client/src/index.ts";
import {
  accepted,
  createFakeClock,
  failure,
  key,
  message,
  rejection,
  type Step,
  scriptFetch,
  success,
  testClient,
} from "./test-client.ts";

// Responses of servers and proxies that no contract describes.

const good = success(accepted, {}, 202);

test.for(["cut", "hang"] as const)("Retry-After counts even if the body is lost: %s", async (end) => {
  const half = (seconds: string): Step => ({
    status: 429,
    partly: '{"er',
    end,
    headers: { "Retry-After": seconds },
  });
  const { client, elapsed, until } = testClient([half("40"), good]);
  await until(client.emails.send(message));
  expect(elapsed()).toBeGreaterThanOrEqual(40_000);
  const long = testClient([half("3600")]);
  const error = await long.until(rejection(long.client.emails.send(message)));
  expect(error).toMatchObject({
    attempts: 1,
    message: expect.stringMatching(/; Retry-After passes the timeout$/),
  });
});

test.for([
  ["30, 30", 30],
  ["5, 30", 30],
  ["1e1", 10],
  ["0", 0],
  ["1e99", 1e99],
  ["0, soon", null],
  ["-5", null],
  ["", null],
  ["Sun, 31 Jan 2021 06:00:20 GMT", null],
  ["Sunday, 31-Jan-27 09:00:09 GMT", 9],
] as const)("a Retry-After of %s is %s seconds", async ([value, seconds]) => {
  const { client, until } = testClient([failure(429, "rate_limited", { "Retry-After": value })], {
    attempts: 1,
  });
  expect(await until(rejection(client.me()))).toMatchObject({ retryAfter: seconds });
});

test("headers that are not numbers are null", async () => {
  const headers = { "X-RateLimit-Limit": "120, 120", "X-RateLimit-Remaining": "many" };
  const { client, until } = testClient([success({}, headers)]);
  expect((await until(client.me().withResponse())).rateLimit).toEqual({ limit: null, remaining: null });
});

test("a key that a server returns in another encoding is redacted", async () => {
  const slashed = "sk/live+abc/1==";
  for (const text of [slashed, slashed.replaceAll("/", "\\/"), slashed.replace("s", "\\u0073")]) {
    const body = `{"error":{"type":"${text}","message":"no ${text}","fields":{"${text}":["${text}"]}}}`;
    const { client, until } = testClient([{ status: 401, body }], { key: slashed });
    const error = await until(rejection(client.me()));
    expect(inspect(error, { depth: 9 })).not.toContain(slashed);
    expect((error as Error).message).toBe("401 ***: no *** ***: ***");
    const { fetch } = scriptFetch({ status: 401, body });
    const own = reliableFetch({ fetch, clock: createFakeClock() });
    const response = await own("https://api.example.com/api/v1/me", {
      headers: { authorization: `bearer ${slashed}` },
    });
    expect(await response.text()).not.toContain(slashed);
  }
  for (const bad of ['a"b', "a\\b"]) expect(() => testClient([], { key: bad })).toThrow(TypeError);
});

test("a signal ends a request at any moment", async () => {
  const reason = new Error("enough");
  const script: Step[] = [{ status: 503 }, { hang: true }, failure(503, "x", { "Retry-After": "5" }), good];
  for (let moment = 0; moment < 40_000; moment += 250) {
    const controller = new AbortController();
    const { client, clock } = testClient(script);
    const call = client.emails.send(message, { signal: controller.signal }).then(
      () => "sent",
      (thrown: unknown) => thrown,
    );
    await clock.advance(moment);
    controller.abort(reason);
    expect([reason, "sent"]).toContain(await call);
    expect(clock.timers).toBe(0);
  }
});

test.for(["[]", '[{"id":"1"}]', " [1]", '"text"', "7", "true", "null", "{", '{"id":'])(
  "a success with the body %s is an ApiError",
  async (body) => {
    const { client, until } = testClient([{ status: 200, body }]);
    expect(await until(rejection(client.me()))).toMatchObject({ name: "ApiError", status: 200, attempts: 1 });
    const { fetch } = scriptFetch({ status: 200, body });
    const own = reliableFetch({ key, fetch });
    expect(await rejection(own("https://api.example.com/api/v1/me"))).toMatchObject({ name: "ApiError" });
  },
);

const broken = { toString: 1, valueOf: [], toJSON: null, length: 3 };
const odd: unknown[] = [
  null,
  7,
  true,
  "",
  "x",
  [],
  ["x"],
  [["x"]],
  {},
  { a: null },
  { a: [null] },
  broken,
  { a: broken },
];
const bodies = [
  ...odd.map((error) => ({ error })),
  ...["type", "message", "fields", "request_id"].flatMap((name) =>
    odd.map((value) => ({ error: { [name]: value } })),
  ),
  ...odd,
].map((body) => JSON.stringify(body));
const deep = `{"error":{"type":"internal","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;

test("a malformed error body is an ApiError with valid types, and is retried by its status", async () => {
  for (const body of [...bodies, deep]) {
    const { client, until } = testClient([{ status: 503, body }]);
    const error = await until(rejection(client.emails.send(message)));
    expect(error, body.slice(0, 99)).toMatchObject({ name: "ApiError", status: 503, attempts: 4 });
    const { type, fields, requestId, message: text } = error as ApiError;
    expect([typeof type, type]).toContain(type === null ? null : "string");
    expect([typeof requestId, requestId]).toContain(requestId === null ? null : "string");
    expect(text).toMatch(/^503/);
    for (const reasons of Object.values(fields ?? {}))
      expect(reasons.every((reason) => typeof reason === "string")).toBe(true);
    expect(fieldsByMessage(error as ApiError)).toBeInstanceOf(Map);
    const { fetch, requests } = scriptFetch({ status: 503, body });
    const own = reliableFetch({ key, fetch, clock: testClient([]).clock, attempts: 1 });
    expect((await own("https://api.example.com/api/v1/me")).status).toBe(503);
    expect(requests).toHaveLength(1);
  }
});

test("a malformed property does not hide the type: a rate limit is waited for", async () => {
  for (const more of odd.map((value) => ({ message: value, fields: value, request_id: value }))) {
    const { client, until } = testClient([failure(429, "rate_limited", { "Retry-After": "1" }, more), good]);
    expect((await until(client.emails.send(message).withResponse())).attempts).toBe(2);
  }
});

test("a key that a server echoes anywhere is in no error, event, result or response", async () => {
  const { client: printed, options } = testClient([]);
  const shown: unknown[] = [printed, connect(options)];
  const echo = { "X-Service-Request-Id": `req ${key}`, "X-Echo": `Bearer ${key}`, "Retry-After": key };
  const body = JSON.stringify({
    error: { type: key, message: key, fields: { [key]: [key] }, request_id: key, [key]: { [key]: key } },
  });
  for (const [status, text] of [
    [202, JSON.stringify(accepted)],
    [200, key],
    [401, body],
    [422, body],
    [503, body],
    [500, key],
  ] as const) {
    const fetch = async () => new Response(text, { status, statusText: `Hello ${key}`, headers: echo });
    const onEvent = (event: RequestEvent) => shown.push(event);
    const { client, until, clock } = testClient([], { fetch, onEvent });
    const details = (reason: unknown) => reason;
    shown.push(await until(client.emails.send(message).withResponse().catch(details)));
    shown.push(await until(client.emails.batch.sendAll([message])));
    const own = reliableFetch({ key, fetch, onEvent, clock });
    const response = await until(
      own("https://api.example.com/api/v1/emails", { method: "POST", body: "{}" }).catch(details),
    );
    shown.push(response);
    if (response instanceof Response)
      shown.push([...response.headers], await response.text(), response.statusText);
  }
  expect(shown.length).toBeGreaterThan(60);
  for (const one of shown) {
    const { response } = one as { response?: Response };
    const texts = [
      inspect(one, { depth: 9, showHidden: true }),
      JSON.stringify(one),
      `${one}`,
      (one as Error).stack,
    ];
    texts.push(JSON.stringify([...(response?.headers ?? [])]), response?.statusText);
    expect(texts.join("\n")).not.toContain(key);
  }
});

test("a key of 8 characters in the name of a header does not hide the response", async () => {
  const fetch = async () =>
    Response.json(accepted, { status: 202, headers: { "X-Test-Key-Run": "a test-key" } });
  const seen: RequestEvent[] = [];
  const { client, until } = testClient([], { key: "test-key", fetch, onEvent: (event) => seen.push(event) });
  expect(await until(client.emails.send(message).withResponse())).toMatchObject({ status: 202, attempts: 1 });
  const [result] = seen.flatMap((event) => (event.type === "result" ? [event.response] : []));
  expect(Object.fromEntries(result?.headers ?? [])).toMatchObject({ "x-***-run": "a ***" });
});

test("a shorter key, as tests have, is not redacted: it may be part of an error type", async () => {
  for (const short of ["a", "limited"]) {
    const script = [failure(429, "rate_limited", { "Retry-After": "1" }), failure(403, "forbidden")];
    const { client, until } = testClient(script, { key: short });
    expect(await until(rejection(client.me()))).toMatchObject({ attempts: 2, type: "forbidden" });
    const noUrl = () => testClient([], { key: short, baseUrl: "https://api.example.com?limited" });
    expect(noUrl).toThrow('(got "https://api.example.com?limited")');
  }
});

test("the cause of a ConnectionError has no property that could show the key", async () => {
  const request = new Request("https://api.example.com", { headers: { authorization: `Bearer ${key}` } });
  const inner = Object.assign(new Error(`sent ${key}`), { code: "ECONNRESET", request, config: { key } });
  for (const thrown of [inner, Object.assign(new Error(`sent ${key}`, { cause: inner }), { request })]) {
    const { client, until } = testClient([], { fetch: () => Promise.reject(thrown), attempts: 1 });
    const error = (await until(rejection(client.me()))) as ConnectionError;
    expect(error.cause).toMatchObject({ message: "sent ***", code: "ECONNRESET" });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(key);
  }
});
