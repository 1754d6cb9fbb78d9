import { expect, test } from "vitest";
import { ApiError, reliableFetch, safePath, TimeoutError } from "../../client/src/fetch.ts";
import { holdClock } from "./fake-clock.ts";
import { answer, failure, type Step, scriptFetch } from "./scripted-fetch.ts";
import { accepted, key, message, rejection } from "./test-client.ts";

const base = "https://api.example.com/api/v1";

function rig(...script: Step[]) {
  const clock = holdClock();
  const { fetch, made } = scriptFetch(...script);
  return { fetch: reliableFetch({ key, fetch, clock, random: () => 0 }), made, until: clock.until };
}
/** What the body of a failure tells. */
const errorIn = async (response: Response): Promise<{ type: string; message: string }> =>
  ((await response.json()) as { error: { type: string; message: string } }).error;
const post = (body: unknown = message): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("the three calls that take a key get one, the same in all attempts; no other call does", async () => {
  const { fetch, made, until } = rig({ status: 503 }, answer(accepted, {}, 202));
  for (const path of ["/emails", "/emails/batch", "/newsletter/contacts"])
    await until(fetch(base + path, post()));
  await until(fetch(`${base}/newsletter/contacts/ada%40example.com/unsubscribe`, post({})));
  await until(fetch(`${base}/emails/sched_1`, { method: "DELETE" }));
  const keys = made.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toBe(keys[1]);
  expect(new Set(keys.slice(0, 4)).size).toBe(3);
  expect(keys.slice(4)).toEqual([undefined, undefined]);
});

test("a key that the request brings is kept, and one that cannot be used is refused", async () => {
  const { fetch, made, until } = rig(answer(accepted, {}, 202));
  const with_ = (value: string) => ({ ...post(), headers: { "Idempotency-Key": value } });
  await until(fetch(new Request(`${base}/emails`, with_("order 7"))));
  expect(made[0]?.headers["idempotency-key"]).toBe("order 7");
  expect(made[0]?.body).toBe(JSON.stringify(message));
  expect(await until(rejection(fetch(`${base}/emails`, with_("x".repeat(257)))))).toBeInstanceOf(TypeError);
});

test("an answer is as it was, its body read", async () => {
  const { fetch, until } = rig(answer(accepted, { "Content-Length": "3", "Content-Encoding": "x" }, 202));
  const response = await until(fetch(`${base}/emails`, post()));
  expect([response.status, response.headers.get("x-service-request-id")]).toEqual([202, "req_1"]);
  expect([response.headers.has("content-length"), response.headers.has("content-encoding")]).toEqual([
    false,
    false,
  ]);
  expect(await response.json()).toEqual(accepted);
});

test("a failure always has a body in the shape of an error", async () => {
  const named = rig(failure(409, "not_cancellable"));
  const refused = await named.until(named.fetch(`${base}/emails/1`, { method: "DELETE" }));
  expect([refused.status, (await errorIn(refused)).type]).toEqual([409, "not_cancellable"]);
  for (const body of ["", "<html>", "null"]) {
    const { fetch, until, made } = rig({ status: 500, body });
    const response = await until(fetch(`${base}/me`));
    expect([response.ok, made.length]).toEqual([false, 4]);
    expect(await response.json()).toEqual({
      error: { type: "", message: "no readable body", request_id: null },
    });
  }
  const late = rig(failure(429, "rate_limited", { "Retry-After": "3600" }));
  const error = await errorIn(await late.until(late.fetch(`${base}/me`)));
  expect(error.message).toBe("It did not work.; Retry-After passes the timeout");
});

test("a success without a body that can be read, or a redirection, is none", async () => {
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

test("the signal of a request ends it, and time does", async () => {
  const { fetch, until } = rig({ hang: true });
  expect(await until(rejection(fetch(`${base}/me`)))).toBeInstanceOf(TimeoutError);
  const ended = fetch(new Request(`${base}/me`, { signal: AbortSignal.abort(new Error("enough")) }));
  expect(await until(rejection(ended))).toMatchObject({ message: "enough" });
});

test("the key goes along, is shown by nothing, and requests may bring their own", async () => {
  const own = scriptFetch({ status: 401, body: `{"error":{"type":"unauthorized","message":"not ${key}"}}` });
  const fetch = reliableFetch({ fetch: own.fetch, clock: holdClock() });
  const response = await fetch(`${base}/me`, { headers: { authorization: `Bearer ${key}` } });
  expect(own.made[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(await response.text()).not.toContain(key);
  expect(() => reliableFetch({ key: "" })).toThrow(TypeError);
  const without = scriptFetch({ status: 500, body: "{}" });
  expect((await reliableFetch({ fetch: without.fetch, attempts: 1 })(`${base}/me`)).status).toBe(500);
});

test("parameters of a path are encoded, and what leads elsewhere is refused", () => {
  expect(safePath("/contacts/{email}/unsubscribe", { email: "a+b@c.example" })).toBe(
    "/contacts/a%2Bb%40c.example/unsubscribe",
  );
  for (const id of ["", "..", ".", "a/b", null, undefined, 7])
    expect(() => safePath("/emails/{id}", { id })).toThrow(TypeError);
});
