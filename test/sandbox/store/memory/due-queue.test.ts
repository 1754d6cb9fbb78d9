import { expect, test } from "vitest";
import { DueQueue } from "../../../../sandbox/store/memory/due-queue.ts";
import { PackedRecords } from "../../../../sandbox/store/memory/packed-records.ts";
import { type Stored, storedMessage } from "../../../../sandbox/store/memory/stored-message.ts";
import { day, noon, scheduledMessage } from "../records.ts";

const records = new PackedRecords();

const added = (queue: DueQueue, seq: number, dueAt: number): Stored => {
  const stored = storedMessage(scheduledMessage(`sched_${seq}`, noon), { seq, isListed: true, records });
  queue.move(stored, dueAt);
  return stored;
};

const seqs = (queue: DueQueue, until: number, limit = 10): number[] =>
  queue.due(until, limit).map(({ seq }) => seq);

test("a message that is moved very often takes the place of a few", () => {
  const queue = new DueQueue();
  added(queue, 2, noon + day);
  const moved = added(queue, 1, noon + 2 * day);
  for (let index = 0; index < 100_000; index += 1) queue.move(moved, noon + 2 * day - index);
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBe(noon + day);
  expect(seqs(queue, noon + 3 * day)).toEqual([2, 1]);
});

test("canceled messages do not stay until their time", () => {
  const queue = new DueQueue();
  const all = Array.from({ length: 10_000 }, (_, seq) => added(queue, seq, noon + day));
  for (const one of all) queue.move(one, null);
  expect(queue.length).toBeLessThan(2_000);
  expect(queue.earliest()).toBeNull();
});

test("a message that is moved back is due once, in its order", () => {
  const queue = new DueQueue();
  const first = added(queue, 1, noon);
  added(queue, 2, noon);
  queue.move(first, noon + day);
  queue.move(first, noon);
  expect(seqs(queue, noon)).toEqual([1, 2]);
});

test("due messages stay until they are moved", () => {
  const queue = new DueQueue();
  const all = [3, 1, 2].map((seq) => added(queue, seq, noon + seq));
  expect(seqs(queue, noon + 2)).toEqual([1, 2]);
  expect(seqs(queue, noon + 3, 2)).toEqual([1, 2]);
  for (const one of all) if (one.seq < 3) queue.move(one, null);
  expect(seqs(queue, noon + 3)).toEqual([3]);
});
