import { expect, test } from "vitest";
import { Current } from "../../../../sandbox/store/postgres/current.ts";
import { Database } from "../../../../sandbox/store/postgres/database.ts";
import { migrate } from "../../../../sandbox/store/postgres/migrate.ts";
import { createWorkspace } from "../../../../sandbox/store/postgres/workspaces.ts";
import { emptyState, withSettings } from "../records.ts";
import { newDatabase, onServer } from "./cluster.ts";

/** A database with a workspace, and what opens it. */
async function workspace() {
  const url = await newDatabase();
  await migrate({ url, shown: url });
  const database = new Database(url);
  await createWorkspace(database, "blue");
  const open = async () => {
    const current = new Current({ database, workspace: "blue", onCommit: () => {} });
    await current.refresh();
    return current;
  };
  return { url, database, open };
}

test("settings are read again only when one has changed", async () => {
  const { database, open } = await workspace();
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

test("a reset in progress keeps no request waiting, however long it takes", async () => {
  const { url, database, open } = await workspace();
  const current = await open();
  await current.fill(withSettings({ shape: "round" }));
  const before = current.epoch;
  let reset: Promise<void> | undefined;
  await onServer(async (client) => {
    // A large seed takes as long.
    await client.query("BEGIN; LOCK TABLE email_sandbox.setting IN SHARE MODE");
    reset = current.reset(emptyState);
    await expect
      .poll(async () => (await client.query("SELECT FROM pg_locks WHERE NOT granted")).rowCount)
      .toBeGreaterThan(0);
    await current.refresh();
    expect(current.epoch).toBe(before);
    await client.query("COMMIT");
  }, url);
  await reset;
  await current.refresh();
  expect(current.epoch).not.toBe(before);
  expect(current.epoch.settings.has("shape")).toBe(false);
  await current.settled();
  await database.close();
});
