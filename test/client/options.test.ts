import { expect, test } from "vitest";
import { connect, createClient } from "../../client/src/index.ts";
import { answer, failure } from "./scripted-fetch.ts";
import { accepted, key, message, rejection, rig } from "./test-client.ts";

test("an option that a call gives as undefined is as the client has it", async () => {
  const { client, made, until } = rig([{ status: 503 }], { attempts: 2, timeout: 60_000 });
  const options = {
    attempts: undefined,
    attemptTimeout: undefined,
    timeout: undefined,
    signal: undefined,
    idempotencyKey: undefined,
  };
  expect(await until(rejection(client.emails.send(message, options)))).toMatchObject({ attempts: 2 });
  expect(made).toHaveLength(2);
  const slow = rig([{ hang: true }], { attempts: 1, attemptTimeout: 1000 });
  const start = slow.clock.Date.now();
  await slow.until(rejection(slow.client.me(options)));
  expect(slow.clock.Date.now() - start).toBe(1000);
  const counted = rig([{ status: 503 }], { attempts: 2 });
  expect(await counted.until(rejection(counted.client.me({ attempts: 3 })))).toMatchObject({ attempts: 3 });
});

test("an idempotency key that would lose a space on the way is refused", async () => {
  const { client, made, until } = rig([answer(accepted)]);
  for (const idempotencyKey of ["a ", " a", " "])
    expect(await until(rejection(client.emails.send(message, { idempotencyKey })))).toBeInstanceOf(TypeError);
  expect(made).toHaveLength(0);
  await until(client.emails.send(message, { idempotencyKey: "a b" }));
  await until(client.emails.send(message, { idempotencyKey: "a" }));
  expect(made.map(({ headers }) => headers["idempotency-key"])).toEqual(["a b", "a"]);
});

test("an address that nothing can be put after is refused", () => {
  for (const baseUrl of [
    "https://api.example.com?x=1",
    "https://api.example.com/#x",
    "https://name:word@api.example.com",
    "http://localhost:4020@elsewhere.example",
  ])
    expect(() => createClient({ key, baseUrl })).toThrow(/baseUrl/);
});

test("what most often goes wrong in setting up is said in words", () => {
  for (const none of ["", undefined])
    expect(() => createClient({ key: none as string, baseUrl: "https://api.example.com" })).toThrow(
      "key is missing",
    );
  const page = globalThis as { document?: unknown };
  page.document = {};
  try {
    expect(() => rig([])).toThrow("a browser page shows the key: see allowBrowser");
    expect(() => connect({ key, baseUrl: "https://api.example.com" })).toThrow(/document.*allowBrowser/);
    connect({ key, baseUrl: "https://api.example.com", allowBrowser: true });
  } finally {
    delete page.document;
  }
});

test("the id of a call is taken from the body where its header was lost", async () => {
  const { status, body } = failure(403, "forbidden") as { status: number; body: string };
  const { client, until } = rig([{ status, body }]);
  expect(await until(rejection(client.me()))).toMatchObject({ requestId: "req_2" });
});

test("what became of a message is told without blaming the time, unless time was up", async () => {
  const told = async (status: string) => {
    const { client, until } = rig([answer({ status, delivered_at: null })]);
    return ((await until(rejection(client.emails.waitFor("1", "delivered")))) as Error).message;
  };
  expect(await told("bounced")).toBe("the message is bounced and was not delivered");
  expect(await told("sent")).toBe("the message is sent and was not delivered in time");
});
