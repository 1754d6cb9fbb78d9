import { expect, test } from "vitest";
import { openPostgres } from "../../../sandbox/store/postgres/open.ts";
import { Registry } from "../../../sandbox/workspaces/registry.ts";
import { Workspaces } from "../../../sandbox/workspaces/workspaces.ts";
import { newDatabase } from "../store/postgres/cluster.ts";
import { createWorkspace, type Instance, startInstance, startTwo } from "./instances.ts";

const statusOf = async ({ sandbox }: Instance, id: string, key: string): Promise<number> =>
  (await sandbox.fetch(`/workspaces/${id}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } }))
    .status;

const seed = { accounts: [{ id: "team", keys: [{ key: "team_key_1" }] }] };

test("a workspace of one instance has the same seed on the other, until one of them deletes it", async () => {
  const [one, other] = await startTwo();
  const id = await createWorkspace(one, { seed });
  const statuses = () => Promise.all([one, other].map((instance) => statusOf(instance, id, "team_key_1")));
  expect(await statuses()).toEqual([200, 200]);
  await other.sandbox.fetch(`/sandbox/workspaces/${id}`, { method: "DELETE" });
  expect(await statuses()).toEqual([404, 404]);
});

test("a workspace whose instance is killed before it is open is not found, and is deleted a minute later", async () => {
  const stores = await openPostgres(await newDatabase());
  const registry = new Registry(stores);
  const add = async (id: string, createdAt: number): Promise<void> => {
    await registry.add({ id, createdAt, expiresAt: Date.now() + 3_600_000 }, 9);
    await (await stores.open(`workspace-${id}`)).close();
  };
  await add("0", Date.now() - 61_000);
  await add("1", Date.now());
  const workspaces = new Workspaces({
    stores,
    seed,
    openWorld: () => Promise.reject(new Error("not opened")),
  });
  await workspaces.sweep();
  expect([await stores.has("workspace-0"), await stores.has("workspace-1")]).toEqual([false, true]);
  expect((await registry.all()).map(({ id }) => id)).toEqual(["1"]);
  expect([await workspaces.find("1"), await workspaces.list()]).toEqual([undefined, []]);
  for (const closing of [workspaces, registry, stores]) await closing.close();
});

test("metrics do not wait for a database that does not respond", async () => {
  const { sandbox } = await startInstance({ data: await newDatabase() });
  await createWorkspace({ sandbox } as Instance);
  sandbox.store.refresh = () => new Promise(() => {});
  const text = await (await sandbox.fetch("/metrics")).text();
  expect(text).toContain("email_sandbox_workspaces 1");
});

test("many health checks write the database once", async () => {
  const { sandbox, call } = await startInstance({ data: await newDatabase() });
  const { store } = sandbox;
  const { changeSetting } = store;
  let written = 0;
  store.changeSetting = (...change) => {
    written += 1;
    return changeSetting(...change);
  };
  for (let count = 0; count < 5; count += 1)
    expect((await fetch(`${sandbox.url}/health/ready`)).status).toBe(200);
  expect(written).toBe(1);
  expect((await call("GET", "/api/v1/me")).status).toBe(200);
});
