import createFetchClient from "openapi-fetch";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { hasStatus, type paths, reliableFetch, safePath, strict } from "../../client/src/fetch.ts";
import {
  ApiError,
  type Client,
  type Contact,
  createClient,
  isErrorOf,
  type Message,
} from "../../client/src/index.ts";
import { createFakeClock, type FakeClock, rejection } from "../client/test-client.ts";
import { newPath, pausedDomain, startAdditions } from "./server.ts";

// Both interfaces of the client against a future server of this version.

let server: Awaited<ReturnType<typeof startAdditions>>;
let clock: FakeClock;
let client: Client;
const baseUrl = "https://api.example.com";
const startAt = Date.parse("2027-01-31T09:00:00Z");
const message = {
  from: "hello@bakery.example",
  to: ["ada@readers.example"],
  subject: "Hello",
  text: "Hello Ada",
};
const more = { object_version: 3, links: { self: null }, notes: [] };

beforeAll(async () => {
  server = await startAdditions({ clock: { frozen: true, startAt } });
});
beforeEach(async () => {
  await server.sandbox.reset();
  clock = createFakeClock(startAt);
  client = createClient({ key: server.key, baseUrl, fetch: server.fetch, clock, random: () => 0 });
});
afterAll(() => server.sandbox.close());

test("every request succeeds and returns the new properties", async () => {
  const scheduled_at = "2027-02-01T09:00:00Z";
  const sent = await client.emails.send({ ...message, scheduled_at }).withResponse();
  expect(sent).toMatchObject({ status: 202, attempts: 1, data: more });
  expect(sent.quota.remaining).toBeTypeOf("number");
  const { id } = sent.data;
  const change = { scheduled_at: "2027-02-02T09:00:00Z" };
  expect(await client.emails.reschedule(id, change)).toMatchObject({ id, ...more });
  const record: Message = await client.emails.get(id);
  expect(record).toMatchObject({ id, status: "scheduled", ...more });
  expect(await client.emails.cancel(id)).toMatchObject({ status: "canceled", ...more });
  const { lists, ...beside } = await client.newsletter.lists();
  expect(beside).toMatchObject(more);
  expect(lists[0]).toMatchObject(more);
  expect((await client.newsletter.fields()).fields[0]).toMatchObject(more);
  const contact = { email: "new+one@readers.example", list_id: lists[0]?.id ?? 0 };
  const added = await client.newsletter.contacts.upsert(contact).withResponse();
  expect([added.status, added.data.email]).toEqual([201, contact.email]);
  const known: Contact = await client.newsletter.contacts.get(contact.email);
  expect(known).toMatchObject({ lists: [more], ...more });
  const left = await client.newsletter.contacts.unsubscribe(contact.email);
  expect(left).toMatchObject({ marketing_blocked: true, ...more });
  expect(await client.me()).toMatchObject({ abilities: expect.arrayContaining(["email:send"]), ...more });
});

test("a wait ends with the status despite new event types", async () => {
  const { id } = await client.emails.send(message);
  const waiting = client.emails.waitFor(id, "delivered");
  let isOver = false;
  const mark = (): void => {
    isOver = true;
  };
  waiting.then(mark, mark);
  while (!isOver) {
    await server.sandbox.clock.advance(10_000);
    await clock.advance(10_000);
  }
  const record = await waiting;
  const types: string[] = record.events.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["looked_at", "sent", "policy.checked", "delivered"]));
  expect(record.events.every((event) => "object_version" in event)).toBe(true);
});

test("an error of a new type is handled by its status", async () => {
  const error = await rejection(client.emails.send({ ...message, to: [`ada@${pausedDomain}`] }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 403, type: "account_paused", attempts: 1 });
  expect((error as ApiError).requestId).toBeTypeOf("string");
  expect(isErrorOf(error, "sendEmail")).toBe(false);
});

test("the fetch interface: types, retries and errors as before, and the new path for those who know it", async () => {
  const fetch = reliableFetch({ key: server.key, fetch: server.fetch, clock, random: () => 0 });
  const api = strict<paths>(createFetchClient<paths>({ baseUrl, fetch, pathSerializer: safePath }));
  await server.sandbox.failures.add({ kind: "status", status: 503, body: true }, 1);
  const sent = await clock.until(api.POST("/api/v1/emails", { body: message }));
  if (sent.error !== undefined) throw new Error(sent.error.error.message);
  expect(sent.data).toMatchObject(more);
  expect(sent.response.headers.get("x-service-region")).toBe("north");
  const found = await api.GET("/api/v1/emails/{id}", { params: { path: { id: sent.data.id } } });
  expect(found.data).toMatchObject({ id: sent.data.id, ...more });
  const missing = await api.GET("/api/v1/emails/{id}", { params: { path: { id: "no-such-id" } } });
  expect(hasStatus(missing, 404) && missing.error.error.type).toBe("not_found");
  const rejected = await api.POST("/api/v1/emails", { body: { ...message, to: [`ada@${pausedDomain}`] } });
  expect(rejected.error?.error).toMatchObject({ type: "account_paused", ...more });
  const added = await fetch(new Request(`${baseUrl}${newPath}`));
  expect([added.status, await added.json()]).toMatchObject([200, { suppressions: [more] }]);
});
