import { expect, test } from "vitest";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { openStore } from "../../../sandbox/store/open.ts";
import { day, emptyState, named, noon, scheduledMessage, sentMessage, taking } from "./records.ts";

const settled = (id: string, text = "") =>
  sentMessage(id, {
    ...{ status: "delivered", deliveredAt: noon, dueAt: null },
    content: { ...sentMessage(id).content, text },
  });

test("the last message stays even if it is larger than the bound", async () => {
  const store = new MemoryStore(1);
  for (const id of ["m1", "m2"]) await store.accept(taking([settled(id, "x".repeat(2_000_000))]));
  expect((await store.messages({ limit: 9 })).map(({ id }) => id)).toEqual(["m2"]);
});

test("the oldest messages go beyond 10,000, but none that is still due", async () => {
  const store = new MemoryStore();
  await store.accept(taking([scheduledMessage("first", noon + day), sentMessage("second")]));
  for (let index = 0; index < 10_001; index += 1) await store.accept(taking([settled(`m${index}`)]));
  expect(await store.message("acc_one", "m0")).toBeUndefined();
  expect(await store.message("acc_one", "m1")).toBeDefined();
  expect(await store.messages({ limit: 1e6 })).toHaveLength(10_002);
  expect((await store.messages({ limit: 1e6 })).at(-1)?.id).toBe("first");
});

test("the oldest messages, requests and idempotency keys go beyond as many mebibytes as given", async () => {
  const store = new MemoryStore(1);
  for (let index = 0; index < 20; index += 1) {
    const key = named(`order-${index}`, { fingerprint: "f".repeat(100_000) });
    await store.accept(taking([settled(`m${index}`, "x".repeat(100_000))], key));
    store.logRequest({
      ...{ requestId: `req_${index}`, accountId: "acc_one", method: "GET", path: `/${"x".repeat(100_000)}` },
      ...{ status: 200, errorType: null, fields: [], at: noon },
    });
  }
  expect((await store.messages({ limit: 99 })).map(({ id }) => id)).toHaveLength(10);
  expect(await store.loggedRequests({ limit: 99 })).toHaveLength(10);
  expect(await store.recall(named("order-9"), noon)).toBeUndefined();
  expect(await store.recall(named("order-10"), noon)).toBeDefined();
  await store.reset(emptyState);
  expect(await store.messages({ limit: 99 })).toEqual([]);
});

test("a store may keep everything of one kind up to its number", async () => {
  const store = new MemoryStore(Number.POSITIVE_INFINITY);
  await store.accept(taking([settled("m1")]));
  expect(await store.message("acc_one", "m1")).toBeDefined();
});

test.each([0, -1, Number.NaN])("%s MiB of memory are rejected", async (memory) => {
  await expect(openStore({ memory })).rejects.toThrow(
    `memory must be a positive number of MiB (got ${memory})`,
  );
});
