import { inspect } from "node:util";
import { expect, test } from "vitest";
import { reliableFetch } from "../../client/src/fetch.ts";
import { createClient } from "../../client/src/index.ts";
import { createFakeClock } from "./fake-clock.ts";
import { failure, type Step, scriptFetch, success } from "./scripted-fetch.ts";
import { accepted, key, message, rejection, testClient } from "./test-client.ts";

// Responses of servers and proxies that no contract describes.

const good = success(accepted, {}, 202);

test.for(["cut", "hang"] as const)("Retry-After counts even if the body is lost: %s", async (end) => {
  const half = (seconds: string): Step => ({
    status: 429,
    partly: '{"er',
    end,
    headers: { "Retry-After": seconds },
  });
  const { client, clock, until } = testClient([half("40"), good]);
  const start = clock.Date.now();
  await until(client.emails.send(message));
  expect(clock.Date.now() - start).toBeGreaterThanOrEqual(40_000);
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
    expect((error as Error).message).toBe("401 [key]: no [key]");
    const { fetch } = scriptFetch({ status: 401, body });
    const own = reliableFetch({ fetch, clock: createFakeClock() });
    const response = await own("https://api.example.com/api/v1/me", {
      headers: { authorization: `bearer ${slashed}` },
    });
    expect(await response.text()).not.toContain(slashed);
  }
  for (const bad of ['a"b', "a\\b"]) expect(() => testClient([], { key: bad })).toThrow(TypeError);
});

test("a key is sent to valid URLs only, and unencrypted to this machine only", async () => {
  for (const baseUrl of [
    "https:",
    "https://",
    "https:///",
    "http://",
    "http://127.0.0.1.example.com",
    "http://localhostage",
  ])
    expect(() => createClient({ key, baseUrl })).toThrow(/^baseUrl must match/);
  const { fetch, requests } = scriptFetch(success({}));
  const own = reliableFetch({ key, fetch });
  expect(await rejection(own("http://api.example.com/api/v1/me"))).toBeInstanceOf(TypeError);
  expect(requests).toHaveLength(0);
  expect((await own("http://127.0.0.1:4020/api/v1/me")).status).toBe(200);
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
