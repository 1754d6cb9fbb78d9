import { afterAll, beforeAll, expect, test } from "vitest";
import { type Front, openFront } from "./front.ts";
import { sender } from "./send.ts";

const key = { authorization: "Bearer sandbox_all_2f7c" };

let front: Front;
beforeAll(async () => {
  front = await openFront({
    title: "responds to every request with 418",
    intercept: () => async (request, next) => ({ ...(await next(request)), status: 418 }),
  });
});
afterAll(() => front.close());

test("a server under test differs at its port, and its control API does not", async () => {
  expect((await fetch(`${front.url}/api/v1/me`, { headers: key })).status).toBe(418);
  expect((await fetch(`${front.url}/sandbox/clock`)).status).toBe(200);
});

test("requests to the API are counted and recorded, those to the control API are not", async () => {
  const before = front.requests();
  await fetch(`${front.url}/api/v1/me`, { headers: key });
  await fetch(`${front.url}/sandbox/clock`);
  expect(front.requests()).toBe(before + 1);
  expect(front.exchanges.at(-1)).toMatchObject({
    ...{ method: "GET", path: "/api/v1/me", request: { body: null } },
    response: { status: 418, body: expect.stringContaining("bakery") },
  });
});

test("a request that fetch does not send reaches the server", async () => {
  const { send, close } = sender(front.url);
  expect((await send("/api/v1/me", { method: "TRACE", headers: key })).headers.get("allow")).toBe("GET");
  expect((await send("/api/v1/me", { headers: key, body: "{}" })).status).toBe(418);
  close();
});

test("the clock starts at the time that the examples of the document are written for", async () => {
  const { now } = (await (await fetch(`${front.url}/sandbox/clock`)).json()) as { now: string };
  expect(now).toMatch(/^2027-01-31T/);
});
