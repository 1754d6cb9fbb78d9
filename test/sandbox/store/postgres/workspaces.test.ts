import { expect, test } from "vitest";
import { ClosedError } from "../../../../sandbox/domain/store.ts";
import { Database } from "../../../../sandbox/store/postgres/database.ts";
import { deleteEndedEpochs } from "../../../../sandbox/store/postgres/ended-epochs.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { named, noon, sentMessage, taking } from "../records.ts";
import { newDatabase, onServer } from "./cluster.ts";

test("stores of one database share nothing, and one that is removed is closed in all instances", async () => {
  const url = await newDatabase();
  const [one, other] = [await openPostgres(url), await openPostgres(url)];
  expect(await one.has("blue")).toBe(false);
  const [blue, blueToo] = await Promise.all([one.open("blue"), other.open("blue")]);
  const green = await one.open("green");
  expect(await other.has("blue")).toBe(true);
  const outcomes = await Promise.all(
    [blue, green].map((store) => store.accept(taking([sentMessage("msg_1")], named("order-1")))),
  );
  expect(outcomes.map((outcome) => "replay" in outcome)).toEqual([false, false]);
  expect(await blueToo.messages({ limit: 9 })).toHaveLength(1);
  await one.remove("blue");
  await expect(blueToo.refresh()).rejects.toThrow(ClosedError);
  const again = await other.open("blue");
  expect(await again.messages({ limit: 9 })).toEqual([]);
  expect(await green.messages({ limit: 9 })).toHaveLength(1);
  await Promise.all([blue, blueToo, green, again].map((store) => store.close()));
  await Promise.all([one.close(), other.close()]);
});

test("rows of a store that was reset or removed are deleted in the end", async () => {
  const url = await newDatabase();
  const stores = await openPostgres(url);
  const store = await stores.open("blue");
  const messages = Array.from({ length: 1_200 }, (_, index) => sentMessage(`msg_${index}`));
  await store.accept(taking(messages, named("order-1")));
  await store.countRequest("acc_one", noon, 5);
  await store.close();
  await stores.remove("blue");
  const database = new Database(url);
  await deleteEndedEpochs(database, () => true);
  await onServer(async (client) => {
    for (const table of ["message", "idempotency_record", "quota", "rate", "rate_hit"]) {
      const { rows } = await client.query(`SELECT count(*)::integer AS count FROM email_sandbox.${table}`);
      expect([table, rows[0].count]).toEqual([table, 0]);
    }
  }, url);
  await database.close();
  await stores.close();
});
