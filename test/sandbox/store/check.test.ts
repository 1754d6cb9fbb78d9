import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTime } from "../../../sandbox/store/check.ts";

/** Does nothing else for some time, like a large calculation. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("a store that does not respond is given up", async () => {
  await expect(inTime(new Promise(() => {}))).rejects.toThrow("No response within 1.5 seconds.");
});

test("a response that came in while the process was busy is in time", async () => {
  const response = inTime(wait(50, "response"));
  await wait(0);
  block(1_600);
  expect(await response).toBe("response");
});

test("an error of the store is its own", async () => {
  await expect(inTime(Promise.reject(new Error("disk I/O error")))).rejects.toThrow("disk I/O error");
});
