import { expect, test } from "vitest";
import { BoundedMap } from "../../../sandbox/store/bounded-map.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { openStore } from "../../../sandbox/store/open.ts";
import { day, emptyState, named, noon, scheduledMessage, sentMessage, taking } from "./records.ts";

const settled = (id: string, text = "") =>
  sentMessage(id, {
    ...{ status: "delivered", deliveredAt: noon, dueAt: null },
    content: { ...sentMessage(id).content, text },
  });

test("a bounded map keeps the newest entries, by number and by size", () => {
  const dropped: string[] = [];
  const map = new BoundedMap({ number: 3, bytes: 10_000 }, (key) => dropped.push(key));
  for (const key of ["a", "b", "c", "d"]) map.set(key, key);
  map.set("b", "again");
  expect(map.values()).toEqual(["c", "d", "again"]);
  map.set("large", "x".repeat(9_700));
  expect(map.values()).toHaveLength(1);
  map.set("larger", "x".repeat(20_000));
  expect([map.get("large"), map.get("larger")?.length]).toEqual([undefined, 20_000]);
  expect(dropped).toEqual(["a", "c", "d", "b", "large"]);
  for (let index = 0; index < 10_000; index += 1) map.set(`key ${index}`, "");
  expect(map.values()).toHaveLength(3);
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

test.each([0, -1, Number.NaN])("%s MiB of memory are rejected", async (memory) => {
  await expect(openStore({ memory })).rejects.toThrow(
    `memory must be a positive number of MiB (got ${memory})`,
  );
});
