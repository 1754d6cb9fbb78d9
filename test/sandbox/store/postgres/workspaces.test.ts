import { expect, test } from "vitest";
import { ClosedError } from "../../../../sandbox/domain/closed.ts";
import { openDatabase } from "../../../../sandbox/store/postgres/postgres.ts";
import { named, noon, sentMessage, taking } from "../records.ts";
import { newDatabase } from "./cluster.ts";

test("workspaces share nothing, and end by themselves", async () => {
  const database = await openDatabase({ url: await newDatabase() });
  const { workspaces } = database;
  await workspaces.create({ name: "blue", seed: "{}", expiresAt: noon });
  expect(await workspaces.find("blue")).toEqual({ name: "blue", seed: "{}", expiresAt: noon });
  expect((await workspaces.list()).map(({ name }) => name)).toEqual(["blue", "default"]);
  const [blue, usual] = [await database.store("blue"), await database.store()];
  const outcomes = await Promise.all(
    [blue, usual].map((store) => store.accept(taking([sentMessage("msg_1")], named("order-1")))),
  );
  expect(outcomes.map((outcome) => "replay" in outcome)).toEqual([false, false]);
  expect(await workspaces.removeExpired(noon - 1)).toEqual([]);
  expect(await workspaces.removeExpired(noon)).toEqual(["blue"]);
  await expect(blue.refresh()).rejects.toThrow(ClosedError);
  await expect(database.store("blue")).rejects.toThrow(ClosedError);
  expect(await usual.messages({ limit: 9 })).toHaveLength(1);
  await Promise.all([blue.close(), usual.close()]);
  await database.close();
});
