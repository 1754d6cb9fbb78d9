import { expect, test } from "vitest";
import { Current } from "../../../../sandbox/store/postgres/current.ts";
import { Database } from "../../../../sandbox/store/postgres/database.ts";
import { migrate } from "../../../../sandbox/store/postgres/migrate.ts";
import { createWorkspace } from "../../../../sandbox/store/postgres/workspaces.ts";
import { withSettings } from "../records.ts";
import { newDatabase } from "./cluster.ts";

test("settings are read again only when one has changed", async () => {
  const url = await newDatabase();
  await migrate({ url, shown: url });
  const database = new Database(url);
  await createWorkspace(database, "blue");
  const open = async () => {
    const current = new Current({ database, workspace: "blue", onCommit: () => {} });
    await current.refresh();
    return current;
  };
  const [one, other] = [await open(), await open()];
  await one.fill(withSettings({ shape: "round" }));
  await other.refresh();
  const read = other.epoch.settings;
  await other.refresh();
  expect(other.epoch.settings).toBe(read);
  await one.epoch.changeSetting("colour", () => ({ value: "green", result: null }));
  await other.refresh();
  expect(Object.fromEntries(other.epoch.settings)).toMatchObject({ shape: "round", colour: "green" });
  await one.epoch.changeSetting("shape", () => ({ result: null }));
  await other.refresh();
  expect(other.epoch.settings.has("shape")).toBe(false);
  await Promise.all([one.settled(), other.settled()]);
  await database.close();
});
