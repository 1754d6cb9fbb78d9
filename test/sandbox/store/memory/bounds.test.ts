import { expect, test } from "vitest";
import { MemoryStore } from "../../../../sandbox/store/memory/store.ts";
import { day, named, noon, scheduledMessage, sentMessage, taking } from "../records.ts";

const count = async (store: MemoryStore): Promise<number> => (await store.summaries({ limit: 1e6 })).length;

test("of many messages the newest 10,000 stay, and those that are still due", async () => {
  const store = new MemoryStore();
  await store.accept(
    taking([scheduledMessage("waiting", noon + day), sentMessage("oldest", { dueAt: null })]),
  );
  const messages = Array.from({ length: 15_000 }, (_, index) => sentMessage(`msg_${index}`, { dueAt: null }));
  for (const message of messages) await store.accept(taking([message]));
  expect(await store.message("acc_one", "waiting")).toBeDefined();
  expect(await store.message("acc_one", "oldest")).toBeUndefined();
  expect(await store.message("acc_one", "msg_14999")).toBeDefined();
  expect(await count(store)).toBeLessThanOrEqual(11_001);
  expect(await count(store)).toBeGreaterThanOrEqual(10_000);
});

test("of many idempotency keys the newest 100,000 stay", async () => {
  const store = new MemoryStore();
  for (let index = 0; index <= 100_000; index += 1) await store.accept(taking([], named(`order-${index}`)));
  expect(await store.recall(named("order-0"), noon)).toBeUndefined();
  expect(await store.recall(named("order-1"), noon)).toBeDefined();
});

test("of many logged requests the newest 10,000 stay", async () => {
  const store = new MemoryStore();
  for (let index = 0; index < 15_000; index += 1)
    store.logRequest(
      {
        ...{ requestId: `req_${index}`, accountId: "acc_one", method: "GET", path: "/", status: 200 },
        ...{ errorType: null, fields: [], at: noon },
      },
      store.generation,
    );
  expect(await store.loggedRequest("req_0")).toBeUndefined();
  const { length } = await store.loggedRequests({ limit: 1e6 });
  expect([length >= 10_000, length <= 11_000]).toEqual([true, true]);
});
