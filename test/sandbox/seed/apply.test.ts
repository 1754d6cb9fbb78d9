import { expect, test } from "vitest";
import { filledAt, initialState, isOtherSeed } from "../../../sandbox/seed/load.ts";
import type { Seed, SeedMembership } from "../../../sandbox/seed/seed.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";

const now = Date.parse("2027-03-31T09:00:00Z");
const day = 86_400_000;

/** Stores a seed, and returns its membership. */
async function seeded(entry: Omit<SeedMembership, "list">) {
  const store = new MemoryStore();
  const contacts = [{ email: "ada@readers.example", memberships: [{ list: 1, ...entry }] }];
  await store.fill(initialState({ accounts: [{ id: "shop", keys: [], contacts }] }, now));
  const [contact] = await store.contacts({ accountId: "shop", limit: 1 });
  return contact?.memberships[0];
}

const shop = (more: object): Seed => ({ accounts: [{ id: "shop", keys: [], ...more }] });

test("a store that was filled from another seed keeps its data, until a reset", async () => {
  const store = new MemoryStore();
  const old = shop({ contacts: [{ email: "ada@readers.example" }] });
  const changed = shop({ contacts: [{ email: "bob@readers.example" }] });
  await store.fill(initialState(old, now));
  expect([isOtherSeed(store, old), isOtherSeed(store, changed)]).toEqual([false, true]);
  await store.fill(initialState(changed, now + day));
  expect(filledAt(store)).toBe(now);
  expect(isOtherSeed(store, changed)).toBe(true);
  const [contact] = await store.contacts({ accountId: "shop", limit: 9 });
  expect(contact?.email).toBe("ada@readers.example");
  await store.reset(initialState(changed, now + day));
  expect(filledAt(store)).toBe(now + day);
  expect(isOtherSeed(store, changed)).toBe(false);
});

test("a seed with other keys and lists, which are not stored, is not another one", async () => {
  const store = new MemoryStore();
  await store.fill(initialState(shop({}), now));
  const keys = [{ key: "shop_key_1" }];
  expect(isOtherSeed(store, shop({ keys, lists: [{ id: 1, name: "Weekly letter" }] }))).toBe(false);
  expect(isOtherSeed(store, { accounts: [{ id: "bakery", keys }] })).toBe(true);
});

test("a contact subscribed 30 days ago and unsubscribed a day ago by default", async () => {
  expect(await seeded({ status: "unsubscribed" })).toMatchObject({
    subscribedAt: now - 30 * day,
    unsubscribedAt: now - day,
  });
  expect(await seeded({ status: "subscribed" })).toMatchObject({ unsubscribedAt: null });
});

test("a message is sent at its time, or that long after the start", async () => {
  const message = { from: "a@shop.example", to: ["ada@readers.example"], subject: "Hello", text: "Hi" };
  const store = new MemoryStore();
  const messages = [
    { ...message, id: "sched_1", scheduledAt: "P1D" },
    { ...message, id: "sched_2", scheduledAt: "2027-04-02T09:00:00Z" },
  ];
  await store.fill(initialState(shop({ messages }), now));
  const times = await Promise.all(
    messages.map(async ({ id }) => (await store.message("shop", id))?.scheduledAt),
  );
  expect(times).toEqual([now + day, now + 2 * day]);
  expect(isOtherSeed(store, shop({ messages: messages.slice(1) }))).toBe(true);
});

test.each([
  ["unsubscribed long ago", { unsubscribedAt: "2026-01-01T00:00:00Z" }],
  ["subscribed just now", { subscribedAt: "2027-03-31T08:59:00Z" }],
])("a default never puts unsubscribing before subscribing: %s", async (_, given) => {
  const { subscribedAt, unsubscribedAt } = (await seeded({ status: "unsubscribed", ...given })) ?? {};
  expect(subscribedAt).toBe(unsubscribedAt);
});
