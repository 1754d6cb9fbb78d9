import { describe, expect, it } from "vitest";
import { BoundedMap } from "../../contract/observe/bounded-map.ts";

/** Room for about so many values of 1,000 bytes. */
const mapFor = (entries: number): BoundedMap<number> => new BoundedMap(entries * 1300);

describe("a bounded map", () => {
  it("forgets what was set first, and counts it", () => {
    const map = mapFor(3);
    for (let number = 1; number <= 5; number += 1) map.set(`key ${number}`, number, 1000);
    expect([1, 2, 3, 4, 5].map((number) => map.peek(`key ${number}`))).toEqual([
      ...[undefined, undefined, 3, 4, 5],
    ]);
    expect(map.forgotten).toBe(2);
  });

  it("keeps what is used, however much comes after it", () => {
    const map = mapFor(10);
    map.set("used", 0, 1000);
    for (let number = 1; number <= 1000; number += 1) {
      map.set(`key ${number}`, number, 1000);
      map.get("used");
    }
    expect(map.get("used")).toBe(0);
    expect(map.peek("key 1000")).toBe(1000);
    expect(map.peek("key 1")).toBeUndefined();
  });

  it("goes on after it was cleared, and after its first entries were deleted", () => {
    const map = mapFor(2);
    map.set("a", 1, 1000);
    map.clear();
    for (const name of ["b", "c", "d"]) map.set(name, 2, 1000);
    map.delete("c");
    for (const name of ["e", "f"]) map.set(name, 3, 1000);
    expect(["a", "b", "c", "d", "e", "f"].filter((name) => map.peek(name) !== undefined)).toEqual(["e", "f"]);
  });
});
