import createFetchClient from "openapi-fetch";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hasStatus, type paths, reliableFetch, safePath, strict } from "../../client/src/fetch.ts";
import { attach, type Client, createClient } from "../../client/src/index.ts";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { rejection } from "./test-client.ts";

// The client with the sandbox, over a real connection.

let sandbox: Sandbox;
let client: Client;
const key = () => sandbox.keys["all abilities"] ?? "";
const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Hello",
  text: "Hello Ada",
};
const picture = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7) % 256);

beforeAll(async () => {
  sandbox = await startSandbox({ clock: { frozen: true, startAt: Date.parse("2027-01-31T09:00:00Z") } });
});
beforeEach(async () => {
  await sandbox.reset();
  client = createClient({ key: key(), baseUrl: sandbox.url, random: () => 0.999 });
});
afterAll(() => sandbox.close());

test("a message with an inline image is delivered as it was sent", async () => {
  const logo = await attach(picture, { filename: "logo.png", contentType: "image/png", contentId: "logo" });
  const html = '<p>Hello Ada <img src="cid:logo" alt="Bakery"></p>';
  const { id } = await client.emails.send({ ...message, html, attachments: [logo], tags: { order: "7" } });
  await sandbox.clock.advance(60_000);
  const sent = (await sandbox.outbox.messages()).find((one) => one.id === id);
  if (sent === undefined) throw new Error("the message is not in the outbox");
  const mail = await PostalMime.parse(await sandbox.outbox.eml(sent));
  expect(mail).toMatchObject({ subject: "Hello", from: { address: "hello@bakery.example" } });
  expect([mail.text?.trim(), mail.html?.trim()]).toEqual(["Hello Ada", html]);
  const [image] = mail.attachments;
  expect(image).toMatchObject({
    filename: "logo.png",
    mimeType: "image/png",
    contentId: "<logo>",
    related: true,
  });
  expect(new Uint8Array(image?.content as ArrayBuffer)).toEqual(picture);
  expect(await client.emails.get(id)).toMatchObject({ status: "delivered", tags: { order: "7" } });
});

test("reliableFetch in openapi-fetch: keys, retries, and failures that are not successes", async () => {
  const fetch = reliableFetch({ key: key(), random: () => 0.999 });
  const api = strict<paths>(
    createFetchClient<paths>({ baseUrl: sandbox.url, fetch, pathSerializer: safePath }),
  );
  await sandbox.failures.add({ kind: "cut" }, 1);
  const sent = await api.POST("/api/v1/emails", { body: message });
  if (sent.error !== undefined) throw new Error(sent.error.error.message);
  expect(sent.response.headers.get("idempotent-replayed")).toBe("true");
  const found = await api.GET("/api/v1/emails/{id}", { params: { path: { id: sent.data.id } } });
  expect(found.data).toMatchObject({ id: sent.data.id });
  const missing = await api.GET("/api/v1/emails/{id}", { params: { path: { id: "no-such-id" } } });
  expect(hasStatus(missing, 404) && missing.error.error.type).toBe("not_found");
  await sandbox.failures.add({ kind: "status", status: 500, body: false }, 4);
  const broken = await api.GET("/api/v1/me");
  expect(broken.error?.error).toMatchObject({ type: "", message: "no readable body" });
  const bad = api.GET("/api/v1/emails/{id}", { params: { path: { id: ".." } } });
  expect(await rejection(bad)).toBeInstanceOf(TypeError);
});
