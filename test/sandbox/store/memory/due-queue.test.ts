import { expect, test } from "vitest";
import { DueQueue } from "../../../../sandbox/store/memory/due-queue.ts";
import { PackedRecords } from "../../../../sandbox/store/memory/packed-records.ts";
import { type Stored, storedMessage } from "../../../../sandbox/store/memory/stored-message.ts";
import { day, noon, scheduledMessage } from "../records.ts";

const stored = (seq: number): Stored =>
  storedMessage(scheduledMessage(`sched_${seq}`, noon), {
    ...{ seq, isListed: true },
    records: new PackedRecords(),
  });

test("a message that is moved very often takes the place of a few", () => {
  const queue = new DueQueue();
  const [moved, other] = [stored(1), stored(2)];
  queue.set(other, noon + day);
  for (let index = 0; index < 100_000; index += 1) queue.set(moved, noon + 2 * day - index);
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBe(noon + day);
  const taken = queue.take(noon + 3 * day, 10);
  expect(taken.map((due) => due.stored.seq)).toEqual([2, 1]);
});

test("canceled messages do not stay until their time", () => {
  const queue = new DueQueue();
  const all = Array.from({ length: 10_000 }, (_, seq) => stored(seq));
  for (const one of all) queue.set(one, noon + day);
  for (const one of all) queue.set(one, null);
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBeNull();
});
