import { expect, test } from "vitest";
import { DueQueue } from "../../../../sandbox/store/memory/due-queue.ts";
import { PackedRecords } from "../../../../sandbox/store/memory/packed-records.ts";
import { type Stored, storedMessage } from "../../../../sandbox/store/memory/stored-message.ts";
import { day, noon, scheduledMessage } from "../records.ts";

const stored = (seq: number, dueAt: number | null): Stored =>
  storedMessage(scheduledMessage(`sched_${seq}`, noon, { dueAt }), {
    ...{ seq, isListed: true },
    records: new PackedRecords(),
  });

test("a message that is moved very often takes the place of a few", () => {
  const queue = new DueQueue();
  queue.add(stored(2, noon + day));
  let moved = stored(1, noon + 2 * day);
  queue.add(moved);
  for (let index = 0; index < 100_000; index += 1) {
    queue.drop(moved);
    moved = { ...moved, dueAt: noon + 2 * day - index, isCurrent: true };
    queue.add(moved);
  }
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBe(noon + day);
  expect(queue.take(noon + 3 * day, 10).map(({ seq }) => seq)).toEqual([2, 1]);
});

test("canceled messages do not stay until their time", () => {
  const queue = new DueQueue();
  const records = new PackedRecords();
  const message = scheduledMessage("sched_1", noon + day);
  const all = Array.from({ length: 10_000 }, (_, seq) =>
    storedMessage(message, { seq, isListed: true, records }),
  );
  for (const one of all) queue.add(one);
  for (const one of all) queue.drop(one);
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBeNull();
});
