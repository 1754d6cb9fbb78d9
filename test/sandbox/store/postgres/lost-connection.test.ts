import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { ClosedError, StoreUnavailableError } from "../../../../sandbox/domain/store.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { ownStore } from "../../../../sandbox/store/stores.ts";
import { named, noon, sentMessage, taking } from "../records.ts";
import { disconnect, newDatabase } from "./cluster.ts";

test("without a connection every method says when to retry, and afterwards everything works again", async () => {
  const url = await newDatabase();
  const database = await openPostgres(url);
  const store = await database.open(ownStore);
  await store.accept(taking([sentMessage("msg_1")]));
  await disconnect(url, false);
  const errors = await Promise.all(
    [
      () => store.refresh(),
      () => store.accept(taking([sentMessage("msg_2")])),
      () => store.countRequest("acc_one", noon, 5),
      () => store.message("acc_one", "msg_1"),
      () => store.changeSetting("colour", () => ({ value: "green", result: null })),
    ].map((call) => Promise.resolve(call()).catch((error: unknown) => error)),
  );
  for (const error of errors) {
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error).toMatchObject({ retryAfter: 1 });
  }
  await disconnect(url, true);
  await expect.poll(() => store.refresh().then(() => "works", String)).toBe("works");
  await store.accept(taking([sentMessage("msg_3")]));
  const due: number[] = [];
  store.watchDue((dueAt) => due.push(dueAt));
  expect((await store.messages({ limit: 9 })).map(({ id }) => id)).toEqual(["msg_3", "msg_1"]);
  await store.close();
  await expect(store.refresh()).rejects.toThrow(ClosedError);
  await database.close();
});

test("connections that end at any moment lose nothing that was acknowledged, and leave nothing half-written", async () => {
  const url = await newDatabase();
  const database = await openPostgres(url);
  const store = await database.open(ownStore);
  const acknowledged: string[] = [];
  let number = 0;
  let stopped = false;
  const work = async (): Promise<void> => {
    while (!stopped) {
      number += 1;
      const [one, other, key] = [`msg_${number}_1`, `msg_${number}_2`, `order-${number}`];
      const call = () => store.accept(taking([sentMessage(one), sentMessage(other)], named(key)));
      // As a client does: the same key, until there is a response.
      for (let done = false; !done; )
        done = await call().then(
          () => true,
          // Everything is rejected at once until it is connected again: a loop without a pause would keep it from that.
          () => wait(5, false),
        );
      acknowledged.push(one, other);
    }
  };
  const workers = Array.from({ length: 20 }, work);
  for (let kills = 0; kills < 15; kills += 1) {
    await wait(40);
    await disconnect(url, true);
  }
  stopped = true;
  await Promise.all(workers);
  await expect.poll(() => store.refresh().then(() => "works", String)).toBe("works");
  const stored = (await store.messages({ limit: 1e6 })).map(({ id }) => id);
  expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(await store.used("acc_one", noon)).toBe(acknowledged.length);
  await store.close();
  await database.close();
});
