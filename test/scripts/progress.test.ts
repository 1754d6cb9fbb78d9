import { expect, test } from "vitest";
import { progressLine } from "../../scripts/contract/progress.ts";

/** What a line of progress writes to a stream. */
function written(isTTY: boolean, use: (line: ReturnType<typeof progressLine>) => void): string {
  let text = "";
  use(progressLine({ isTTY, write: (piece) => (text += piece) }));
  return text;
}

test("on a terminal one line says how far it is and what it waits for, and is gone in the end", () => {
  const text = written(true, (line) => {
    line.done(3, 40);
    line.waiting(12_400);
    line.end();
  });
  expect(text.split("\r\u001B[K")).toEqual([
    "",
    "3 of 40 cases",
    "3 of 40 cases, waiting 13 s for the request limit",
    "",
  ]);
});

test("elsewhere only long waits are told, in lines", () => {
  const text = written(false, (line) => {
    line.waiting(2_000);
    line.done(3, 40);
    line.waiting(400);
    line.waiting(60_000);
    line.end();
  });
  expect(text).toBe(
    "0 cases, waiting 2 s for the request limit\n3 of 40 cases, waiting 60 s for the request limit\n",
  );
});
