import { expect, test } from "vitest";
import {
  emptyState,
  named,
  noon,
  scheduledMessage,
  sentMessage,
  setSetting,
  taking,
  withSettings,
} from "../records.ts";
import { openInstances } from "./cluster.ts";

test("a setting that one instance changes is there after a refresh of the other", async () => {
  const [one, other] = await openInstances(2);
  await setSetting(one, "colour", "green");
  await other.refresh();
  expect(other.setting("colour")).toBe("green");
  const count = (store: typeof one) =>
    store.changeSetting("count", (value = "0") => ({ value: `${Number(value) + 1}`, result: null }));
  await Promise.all(Array.from({ length: 20 }, (_, index) => count(index % 2 === 0 ? one : other)));
  await one.refresh();
  expect(one.setting("count")).toBe("20");
});

test("numbers of instances differ", async () => {
  const stores = await openInstances(3);
  const numbers = stores.flatMap((store) => Array.from({ length: 500 }, () => store.nextSequence()));
  expect(new Set(numbers).size).toBe(1_500);
});

test("a rate window counts the requests of all instances exactly", async () => {
  const stores = await openInstances(3);
  const windows = await Promise.all(
    Array.from({ length: 90 }, (_, index) =>
      (stores[index % 3] ?? stores[0]).countRequest("acc_one", noon, 40),
    ),
  );
  const counts = windows.map(({ used }) => used).sort((a, b) => a - b);
  expect(counts).toEqual(Array.from({ length: 90 }, (_, index) => Math.min(index, 40)));
});

test("an idempotency key is used once, whichever instances get its requests at the same moment", async () => {
  const stores = await openInstances(3);
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      (stores[index % 3] ?? stores[0]).accept(
        taking([sentMessage(`msg_${index}`)], named(`order-${index % 10}`)),
      ),
    ),
  );
  expect(outcomes.filter((outcome) => "replay" in outcome)).toHaveLength(110);
  expect(await stores[0].messages({ limit: 200 })).toHaveLength(10);
  expect(await stores[1].used("acc_one", noon)).toBe(10);
});

test("a contact keeps the changes of all instances", async () => {
  const stores = await openInstances(2);
  const add = (tag: string, store: (typeof stores)[number]) =>
    store.changeContact({
      ...{ accountId: "acc_one", email: "ada@example.org", now: noon, idempotency: null },
      decide: (contact) => ({
        contact: {
          ...{ accountId: "acc_one", email: "ada@example.org", firstName: null, lastName: null, fields: {} },
          ...{ tags: [...(contact?.tags ?? []), tag], marketingBlocked: false, memberships: [] },
        },
        response: { status: 200, body: "" },
        result: null,
      }),
    });
  const tags = Array.from({ length: 24 }, (_, index) => `tag-${index}`);
  await Promise.all(tags.map((tag, index) => add(tag, stores[index % 2] ?? stores[0])));
  const contact = await stores[0].contact("acc_one", "ada@example.org");
  expect(contact?.tags.toSorted()).toEqual(tags.toSorted());
});

test("due messages are processed once, by any instance", async () => {
  const stores = await openInstances(3);
  const ids = Array.from({ length: 100 }, (_, index) => `sched_${index}`);
  await stores[0].accept(taking(ids.map((id, index) => scheduledMessage(id, noon + index))));
  const seen: string[] = [];
  const run = (store: (typeof stores)[number]) =>
    store.runDue({
      until: noon + 1_000,
      limit: 10,
      step(message) {
        seen.push(message.id);
        return { message: { ...message, status: "sent", sentAt: message.dueAt, dueAt: null } };
      },
    });
  for (let steps = 1; steps > 0; )
    steps = (await Promise.all(stores.map(run))).reduce((sum, count) => sum + count);
  expect(seen.toSorted()).toEqual(ids.toSorted());
});

test("an instance receives due times that another one has written", async () => {
  const [one, other] = await openInstances(2);
  const due: number[] = [];
  other.watchDue((dueAt) => due.push(dueAt));
  await one.accept(taking([scheduledMessage("sched_1", noon + 5)]));
  await expect.poll(() => due).toEqual([noon + 5]);
});

test("a reset by one instance changes the generation of the other, where requests before it write nothing", async () => {
  const [one, other] = await openInstances(2);
  await other.fill(withSettings({ shape: "round" }));
  const { generation } = other;
  await one.reset(emptyState);
  // The other instance does not know yet.
  await other.accept(taking([sentMessage("msg_1")], named("order-1")));
  await other.refresh();
  expect(other.generation).not.toBe(generation);
  expect(other.setting("shape")).toBeUndefined();
  expect(await other.messages({ limit: 9 })).toEqual([]);
  expect(await one.recall(named("order-1"), noon)).toBeUndefined();
});
