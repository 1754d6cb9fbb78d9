import { expect, test } from "vitest";
import { createIds, sequenceIn } from "../../../sandbox/store/ids.ts";
import { noon } from "../store/records.ts";
import { opened, temporaryFolder } from "../store/sample.ts";

const some = (seed: string, now = noon, store = opened()) => {
  const ids = createIds({ seed, store });
  return [ids.request(now), ids.message(now), ids.scheduled(now), ids.token(now)];
};

test("the same seed and the same calls give the same ids, another seed gives others", () => {
  expect(some("one")).toEqual(some("one"));
  const others = some("two");
  expect(some("one").filter((id) => others.includes(id))).toEqual([]);
});

test("each kind has its own beginning; only scheduled ones begin with sched_", () => {
  const [request, message, scheduled, token] = some("one");
  expect(request).toMatch(/^req_[0-9a-v]{20}$/);
  expect(message).toMatch(/^msg_[0-9a-v]{20}$/);
  expect(scheduled).toMatch(/^sched_[0-9a-v]{20}$/);
  expect(token).toMatch(/^[0-9a-f]{40}$/);
});

test("ids grow with time and number, and none comes twice", () => {
  const ids = createIds({ seed: "one", store: opened() });
  const made = Array.from({ length: 25_000 }, (_, index) => ids.message(noon + Math.floor(index / 7)));
  expect(new Set(made).size).toBe(made.length);
  expect([...made].sort()).toEqual(made);
});

test("none comes twice after a restart either, the clock standing still", async () => {
  const folder = temporaryFolder();
  const first = opened(folder);
  const before = some("one", noon, first);
  await first.close();
  const after = some("one", noon, opened(folder));
  expect(after.filter((id) => before.includes(id))).toEqual([]);
});

test("the number of the store is found in an id again, and any other text has a negative one of its own", () => {
  const numbers = [1, 2, 31, 32, 1_000_000, 32 ** 7 - 1];
  const left = [...numbers];
  const ids = createIds({ seed: "one", store: { nextSequence: () => left.shift() as number } });
  const made = numbers.map((number) => (number % 2 === 0 ? ids.message(noon) : ids.scheduled(noon)));
  expect(made.map(sequenceIn)).toEqual(numbers);
  const others = ["", "msg_1", "x".repeat(30), "Ä".repeat(30), "sched_01JD7Q9V5N3K8R"].map(sequenceIn);
  for (const number of others) expect(number).toBeLessThan(0);
  expect(others.every(Number.isSafeInteger)).toBe(true);
  expect(new Set(others).size).toBe(others.length);
});
