import { expect, test } from "vitest";
import { PackedRecords } from "../../../../sandbox/store/memory/packed-records.ts";

const block = 16 * 1024;

test.each([
  ["small", "ä\n😀", 1],
  ["of a quarter of a block", "x".repeat(block / 4), 1],
  ["of exactly a block", "x".repeat(block - 2), 1],
  ["of several blocks", "\n".repeat(block), 1],
  ["that fill several blocks together", "é".repeat(100), 500],
])("records %s are read as they were added", (_, text, number) => {
  const records = new PackedRecords();
  const places = Array.from({ length: number }, (_, index) => records.add([index, text]));
  expect(places.map((place) => records.read(place))).toEqual(places.map((_, index) => [index, text]));
  expect(records.bytes).toBeGreaterThan(number * Buffer.byteLength(JSON.stringify(text)));
  for (const place of places) records.remove(place);
  expect(records.bytes).toBe(block);
});

test.each([
  ["small", "\n"],
  ["large", "é".repeat(block)],
])("a second value that is %s is read without the first, and removed with it", (_, text) => {
  const records = new PackedRecords();
  const places = Array.from({ length: 100 }, (_, index) => records.add([index], { index, text }));
  expect(places.map((place) => records.read(place))).toEqual(places.map((_, index) => [index]));
  expect(places.map((place) => records.readMore(place))).toEqual(places.map((_, index) => ({ index, text })));
  for (const place of places) records.remove(place);
  expect(records.bytes).toBe(block);
});

test("a block is used again once its records are removed", () => {
  const records = new PackedRecords();
  for (let round = 0; round < 20; round += 1) {
    const places = Array.from({ length: 1_000 }, (_, index) => records.add({ index }));
    expect(Math.max(...places)).toBeLessThan(3 * block);
    for (const place of places) records.remove(place);
  }
});

test("one record that is replaced very often stays in one block", () => {
  const records = new PackedRecords();
  let place = records.add({ index: 0 });
  for (let index = 1; index < 10_000; index += 1) {
    records.remove(place);
    place = records.add({ index });
  }
  expect(place).toBeLessThan(block);
  expect(records.read(place)).toEqual({ index: 9_999 });
});
