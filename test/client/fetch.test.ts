import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ApiError, reliableFetch, safePath, TimeoutError } from "../../client/src/fetch.ts";
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
} from "./test-client.ts";

const base = "https://api.example.com/api/v1";

function rig(...script: Step[]) {
  const clock = createFakeClock();
  const { fetch, requests } = scriptFetch(...script);
  return { fetch: reliableFetch({ key, fetch, clock, random: () => 0 }), requests, until: clock.until };
}
/** The error in the body of a response. */
const errorIn = async (response: Response): Promise<{ type: string; message: string }> =>
  ((await response.json()) as { error: { type: string; message: string } }).error;
const post = (body: unknown = message): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("the three idempotent operations get a key, the same in all attempts; others do not", async () => {
  const { fetch, requests, until } = rig({ status: 503 }, success(accepted, {}, 202));
  for (const path of ["/emails", "/emails/batch", "/newsletter/contacts"])
    await until(fetch(base + path, post()));
  await until(fetch(`${base}/newsletter/contacts/ada%40example.com/unsubscribe`, post({})));
  await until(fetch(`${base}/emails/sched_1`, { method: "DELETE" }));
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys.slice(0, 4)).size).toBe(3);
  expect(keys.slice(4)).toEqual([undefined, undefined]);
});

test("an Idempotency-Key header is kept, and an invalid one is rejected", async () => {
  const { fetch, requests, until } = rig(success(accepted, {}, 202));
  const with_ = (value: string) => ({ ...post(), headers: { "Idempotency-Key": value } });
  await until(fetch(new Request(`${base}/emails`, with_("order 7"))));
  expect(requests[0]?.headers["idempotency-key"]).toBe("order 7");
  expect(requests[0]?.body).toBe(JSON.stringify(message));
  expect(await until(rejection(fetch(`${base}/emails`, with_("x".repeat(257)))))).toBeInstanceOf(TypeError);
});

test("a response keeps its status, headers and body", async () => {
  const { fetch, until } = rig(success(accepted, { "Content-Length": "3", "Content-Encoding": "x" }, 202));
  const response = await until(fetch(`${base}/emails`, post()));
  expect([response.status, response.headers.get("x-service-request-id")]).toEqual([202, "req_1"]);
  expect([response.headers.has("content-length"), response.headers.has("content-encoding")]).toEqual([
    false,
    false,
  ]);
  expect(await response.json()).toEqual(accepted);
});

test("a failure always has an error body", async () => {
  const named = rig(failure(409, "not_cancellable"));
  const failed = await named.until(named.fetch(`${base}/emails/1`, { method: "DELETE" }));
  expect([failed.status, (await errorIn(failed)).type]).toEqual([409, "not_cancellable"]);
  for (const body of ["", "<html>", "null"]) {
    const { fetch, until, requests } = rig({ status: 500, body });
    const response = await until(fetch(`${base}/me`));
    expect([response.ok, requests.length]).toEqual([false, 4]);
    expect(await response.json()).toEqual({
      error: { type: "", message: "no readable body", request_id: null },
    });
  }
  const late = rig(failure(429, "rate_limited", { "Retry-After": "3600" }));
  const error = await errorIn(await late.until(late.fetch(`${base}/me`)));
  expect(error.message).toBe("It did not work.; Retry-After passes the timeout");
});

test("a signal ends a request of which nothing else is left", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const fetch = reliableFetch({ key, fetch: () => new Promise(() => {}) });
  const controller = new AbortController();
  const ended = rejection(fetch(new Request(`${base}/me`, { signal: controller.signal })));
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate();
    collect();
  }
  controller.abort("enough");
  expect(await ended).toBe("enough");
});

test("a success without a readable body and a redirect are ApiErrors", async () => {
  for (const step of [
    { status: 202 },
    { status: 204 },
    { status: 200, body: "<html>" },
    { status: 304 },
  ] as const) {
    const { fetch, until } = rig(
      step.status === 304 ? { status: 304, body: null as unknown as string } : step,
    );
    const error = await until(rejection(fetch(`${base}/emails`, post())));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: step.status, attempts: 1 });
  }
});

test("a request ends by its signal and by the timeout", async () => {
  const { fetch, until } = rig({ hang: true });
  expect(await until(rejection(fetch(`${base}/me`)))).toBeInstanceOf(TimeoutError);
  const ended = fetch(new Request(`${base}/me`, { signal: AbortSignal.abort(new Error("enough")) }));
  expect(await until(rejection(ended))).toMatchObject({ message: "enough" });
});

test("a request may have its own Authorization, and its key is redacted", async () => {
  const own = scriptFetch({ status: 401, body: `{"error":{"type":"unauthorized","message":"not ${key}"}}` });
  const fetch = reliableFetch({ fetch: own.fetch, clock: createFakeClock() });
  const response = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(own.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(await response.text()).not.toContain(key);
  expect(() => reliableFetch({ key: "" })).toThrow(TypeError);
  const without = scriptFetch({ status: 500, body: "{}" });
  expect((await reliableFetch({ fetch: without.fetch, attempts: 1 })(`${base}/me`)).status).toBe(500);
});

test("safePath encodes parameters, and rejects those that would change the path", () => {
  expect(safePath("/contacts/{email}/unsubscribe", { email: "a+b@c.example" })).toBe(
    "/contacts/a%2Bb%40c.example/unsubscribe",
  );
  expect(safePath("/contacts/{email}", { email: "a/b@c.example" })).toBe("/contacts/a%2Fb%40c.example");
  for (const id of ["", "..", ".", null, undefined, 7])
    expect(() => safePath("/emails/{id}", { id })).toThrow(/^id must be a well-formed string/);
});
