import { expect, test } from "vitest";
import { createTickQueue } from "../../../sandbox/http/node.ts";

const turnOver = (): Promise<void> => new Promise((done) => setImmediate(done));

test("what is handed over in one turn is done at its end, in that order", async () => {
  const done: string[] = [];
  const inTurn = createTickQueue();
  for (const name of ["first", "second", "third"]) inTurn(() => done.push(name));
  await Promise.resolve();
  expect(done).toEqual([]);
  await turnOver();
  expect(done).toEqual(["first", "second", "third"]);
});

test("what is handed over meanwhile is done in the next turn", async () => {
  const done: string[] = [];
  const inTurn = createTickQueue();
  inTurn(() => {
    done.push("first");
    inTurn(() => done.push("of the next turn"));
  });
  inTurn(() => done.push("second"));
  await turnOver();
  expect(done).toEqual(["first", "second"]);
  await turnOver();
  expect(done).toEqual(["first", "second", "of the next turn"]);
});
