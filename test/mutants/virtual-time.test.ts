import { describe, expect, it } from "vitest";
import { virtualTime } from "./virtual-time.ts";

const start = Date.parse("2027-03-01T12:00:00Z");

describe("virtual time", () => {
  it("advances to the end of the shortest wait when everything waits, and moves the server's clock", async () => {
    const passed: number[] = [];
    const time = virtualTime({ start, pass: async (milliseconds) => void passed.push(milliseconds) });
    const order: string[] = [];
    await Promise.all([
      time.wait(60_000).then(() => order.push("a minute")),
      time.wait(1_000).then(() => order.push("a second")),
    ]);
    expect(order).toEqual(["a second", "a minute"]);
    expect(passed).toEqual([1_000, 59_000]);
    expect(time.now()).toBe(start + 60_000);
  });

  it("stands still during work", async () => {
    const time = virtualTime({ start, pass: async () => {} });
    const order: string[] = [];
    let finish = () => {};
    const work = time.during(() => new Promise<void>((resolve) => (finish = resolve)));
    const waiting = time.wait(5).then(() => order.push("waited"));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(time.elapsed()).toBe(0);
    order.push("worked");
    finish();
    await Promise.all([work, waiting]);
    expect(order).toEqual(["worked", "waited"]);
  });

  it("advances after failed work", async () => {
    const time = virtualTime({ start, pass: async () => {} });
    await expect(time.during(() => Promise.reject(new Error("cut")))).rejects.toThrow("cut");
    await time.wait(5);
    expect(time.elapsed()).toBe(5);
  });
});
