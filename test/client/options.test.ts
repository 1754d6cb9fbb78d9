import { expect, test } from "vitest";
import { connect, createClient } from "../../client/src/index.ts";
import { failure, success } from "./scripted-fetch.ts";
import { accepted, key, message, rejection, testClient } from "./test-client.ts";

test("an undefined option of a request has the value of the client", async () => {
  const { client, requests, until } = testClient([{ status: 503 }], { attempts: 2, timeout: 60_000 });
  const options = {
    attempts: undefined,
    attemptTimeout: undefined,
    timeout: undefined,
    signal: undefined,
    idempotencyKey: undefined,
  };
  expect(await until(rejection(client.emails.send(message, options)))).toMatchObject({ attempts: 2 });
  expect(requests).toHaveLength(2);
  const slow = testClient([{ hang: true }], { attempts: 1, attemptTimeout: 1000 });
  const start = slow.clock.Date.now();
  await slow.until(rejection(slow.client.me(options)));
  expect(slow.clock.Date.now() - start).toBe(1000);
  const counted = testClient([{ status: 503 }], { attempts: 2 });
  expect(await counted.until(rejection(counted.client.me({ attempts: 3 })))).toMatchObject({ attempts: 3 });
});

test("an idempotency key with a space at an end is rejected", async () => {
  const { client, requests, until } = testClient([success(accepted)]);
  for (const idempotencyKey of ["a ", " a", " "])
    expect(await until(rejection(client.emails.send(message, { idempotencyKey })))).toBeInstanceOf(TypeError);
  expect(requests).toHaveLength(0);
  await until(client.emails.send(message, { idempotencyKey: "a b" }));
  await until(client.emails.send(message, { idempotencyKey: "a" }));
  expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual(["a b", "a"]);
});

test("a base URL with a query, fragment or user information is rejected", () => {
  for (const baseUrl of [
    "https://api.example.com?x=1",
    "https://api.example.com/#x",
    "https://name:word@api.example.com",
    "http://localhost:4020@elsewhere.example",
  ])
    expect(() => createClient({ key, baseUrl })).toThrow(/baseUrl/);
});

test("frequent mistakes in the options have clear messages", () => {
  for (const none of ["", undefined])
    expect(() => createClient({ key: none as string, baseUrl: "https://api.example.com" })).toThrow(
      "key is missing",
    );
  const page = globalThis as { document?: unknown };
  page.document = {};
  try {
    expect(() => testClient([])).toThrow("a browser page shows the key: see allowBrowser");
    expect(() => connect({ key, baseUrl: "https://api.example.com" })).toThrow(/document.*allowBrowser/);
    connect({ key, baseUrl: "https://api.example.com", allowBrowser: true });
  } finally {
    delete page.document;
  }
});

test("the request id is taken from the body if the header is missing", async () => {
  const { status, body } = failure(403, "forbidden") as { status: number; body: string };
  const { client, until } = testClient([{ status, body }]);
  expect(await until(rejection(client.me()))).toMatchObject({ requestId: "req_2" });
});

test("a StateError mentions the time only after a timeout", async () => {
  const messageFor = async (status: string) => {
    const { client, until } = testClient([success({ status, delivered_at: null })]);
    return ((await until(rejection(client.emails.waitFor("1", "delivered")))) as Error).message;
  };
  expect(await messageFor("bounced")).toBe("the message is bounced and was not delivered");
  expect(await messageFor("sent")).toBe("the message is sent and was not delivered in time");
});
