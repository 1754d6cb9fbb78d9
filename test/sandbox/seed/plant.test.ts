import { expect, test } from "vitest";
import { plantSeed } from "../../../sandbox/seed/plant.ts";
import type { SeedMembership } from "../../../sandbox/seed/seed.ts";
import { opened } from "../store/sample.ts";

const now = Date.parse("2027-03-31T09:00:00Z");
const day = 86_400_000;

/** The membership that a seed's entry becomes. */
async function planted(entry: Omit<SeedMembership, "list">) {
  const store = opened();
  const contacts = [{ email: "ada@readers.example", memberships: [{ list: 1, ...entry }] }];
  await plantSeed(store, { accounts: [{ id: "shop", keys: [], contacts }] }, now);
  const [contact] = await store.contacts({ accountId: "shop", limit: 1 });
  return contact?.memberships[0];
}

test("somebody joined 30 days ago and left a day ago, where a seed says neither", async () => {
  expect(await planted({ status: "unsubscribed" })).toMatchObject({
    subscribedAt: now - 30 * day,
    unsubscribedAt: now - day,
  });
  expect(await planted({ status: "subscribed" })).toMatchObject({ unsubscribedAt: null });
});

test.each([
  ["left long ago", { unsubscribedAt: "2026-01-01T00:00:00Z" }],
  ["joined just now", { subscribedAt: "2027-03-31T08:59:00Z" }],
])("nobody left before joining: %s", async (_, said) => {
  const { subscribedAt, unsubscribedAt } = (await planted({ status: "unsubscribed", ...said })) ?? {};
  expect(subscribedAt).toBe(unsubscribedAt);
});
