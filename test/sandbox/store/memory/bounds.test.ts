import { expect, test } from "vitest";
import type { Message } from "../../../../sandbox/domain/records.ts";
import type { DueMessage } from "../../../../sandbox/domain/store.ts";
import { MemoryStore } from "../../../../sandbox/store/memory/store.ts";
import { day, named, noon, scheduledMessage, second, sentMessage, taking } from "../records.ts";

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
  expect(await count(store)).toBe(10_000);
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

/** A text of a tenth of a mebibyte. */
const large = "a".repeat(1024 * 1024 * 0.1);

const withAttachment = (id: string, dueAt: number | null): Message => {
  const message = sentMessage(id, { dueAt });
  message.content.attachments = [{ filename: "a.txt", content: large }];
  return message;
};

const idsIn = async (store: MemoryStore): Promise<string[]> =>
  (await store.summaries({ limit: 1e6 })).map(({ id }) => id);

test("of large messages the newest stay that take at most so many MiB, and those that are still due", async () => {
  const store = new MemoryStore(1);
  await store.accept(taking([withAttachment("waiting", noon + day)]));
  for (let index = 0; index < 50; index += 1)
    await store.accept(taking([withAttachment(`msg_${index}`, null)]));
  const newest = Array.from({ length: 8 }, (_, index) => `msg_${49 - index}`);
  expect(await idsIn(store)).toEqual([...newest, "waiting"]);
  expect((await store.message("acc_one", "msg_49"))?.content.attachments[0]).toMatchObject({
    content: large,
  });
});

test("large messages stay until they are delivered", async () => {
  const store = new MemoryStore(1);
  const messages = Array.from({ length: 50 }, (_, index) => withAttachment(`msg_${index}`, noon + second));
  for (const message of messages) await store.accept(taking([message]));
  expect(await count(store)).toBe(50);
  const step = (message: DueMessage) => ({ message: { ...message, dueAt: null } });
  await store.runDue({ until: noon + day, limit: 100, step });
  expect(await idsIn(store)).toEqual(Array.from({ length: 9 }, (_, index) => `msg_${49 - index}`));
});

test("messages that wait do not displace those that are delivered", async () => {
  const store = new MemoryStore(1);
  for (let index = 0; index < 2_000; index += 1)
    await store.accept(
      taking([
        index % 20 === 0
          ? scheduledMessage(`waiting_${index}`, noon + day)
          : sentMessage(`msg_${index}`, { dueAt: null }),
      ]),
    );
  const ids = await idsIn(store);
  expect(ids.filter((id) => id.startsWith("waiting"))).toHaveLength(100);
  expect(ids.filter((id) => id.startsWith("msg")).length).toBeGreaterThan(500);
});

test("less room than one idempotency record needs keeps none", async () => {
  const store = new MemoryStore(0.001);
  await store.accept(taking([], named("order-1")));
  expect(await store.recall(named("order-1"), noon)).toBeUndefined();
});

test("of idempotency keys with large responses the newest stay", async () => {
  const store = new MemoryStore(1);
  const respond = (index: number) =>
    store.accept({
      ...taking([], named(`order-${index}`)),
      decide: () => ({ messages: [], counted: 0, response: { status: 202, body: large } }),
    });
  for (let index = 0; index < 50; index += 1) await respond(index);
  const kept = await Promise.all([40, 41, 49].map((index) => store.recall(named(`order-${index}`), noon)));
  expect(kept.map((replay) => replay !== undefined)).toEqual([false, true, true]);
  await respond(0);
  expect(await store.recall(named("order-0"), noon)).toBeDefined();
});

test("of logged requests with long paths the newest stay", async () => {
  const store = new MemoryStore(1);
  for (let index = 0; index < 50; index += 1)
    store.logRequest(
      {
        ...{ requestId: `req_${index}`, accountId: "acc_one", method: "GET", path: large, status: 200 },
        ...{ errorType: null, fields: [], at: noon },
      },
      store.generation,
    );
  const ids = (await store.loggedRequests({ limit: 100 })).map(({ requestId }) => requestId);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => `req_${49 - index}`));
  expect([8, 9]).toContain(ids.length);
});

test("after a bound has been reached, everything goes on as before", async () => {
  const store = new MemoryStore(1);
  for (let index = 0; index < 3_000; index += 1) {
    await store.accept(taking([sentMessage(`msg_${index}`)], named(`order-${index}`)));
    const step = (message: DueMessage) => ({ message: { ...message, dueAt: null } });
    if (index % 100 === 0) await store.runDue({ until: noon + day, limit: 1_000, step });
  }
  const kept = await store.messages({ limit: 1e6 });
  expect(kept.map(({ id }) => id)).toEqual(kept.map((_, index) => `msg_${2_999 - index}`));
  for (const message of kept) expect(message.content).toEqual(sentMessage("msg_1").content);
});
