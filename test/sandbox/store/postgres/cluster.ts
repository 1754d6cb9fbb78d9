import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { beforeAll, inject, onTestFinished } from "vitest";
import type { Store } from "../../../../sandbox/domain/store.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { ownStore, type Stores } from "../../../../sandbox/store/stores.ts";

/** A little longer than the sandbox waits for it, in milliseconds. */
const startTimeout = 70_000;

/** The URL of the database server of this test run. */
async function serverUrl(): Promise<string> {
  const folder = inject("postgresFolder");
  writeFileSync(join(folder, "wanted"), "");
  const file = join(folder, "address.json");
  while (!existsSync(file)) await wait(20);
  const { url, error } = JSON.parse(readFileSync(file, "utf8"));
  if (error !== undefined) throw new Error(error);
  return url;
}

// The first test that wants the server does not wait for its start: on a busy machine that takes longer than any test.
beforeAll(async () => void (await serverUrl()), startTimeout);

/** The URL of a new database on that server. */
export async function newDatabase(): Promise<string> {
  const url = new URL(await serverUrl());
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  onTestFinished(() => onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  url.pathname = name;
  return url.href;
}

/** Executes statements as an administrator. */
export async function onServer(work: (client: pg.Client) => Promise<unknown>, url?: string): Promise<void> {
  const client = new pg.Client({ connectionString: url ?? (await serverUrl()) });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Ends all connections to the database; `allow` decides whether new ones are possible. */
export async function disconnect(url: string, allow: boolean): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await onServer(async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allow}`);
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [name]);
  });
}

/** One database for all tests of a worker: each test has a workspace of its own. */
let shared: Promise<Stores> | undefined;

/** A store in a new workspace, which is closed when the test is over. */
export async function openedPostgres(): Promise<Store> {
  shared ??= serverUrl().then((url) => openPostgres(url));
  const database = await shared;
  const name = randomUUID();
  const store = await database.open(name);
  onTestFinished(() => store.close());
  return store;
}

/** Stores of several instances on one workspace, which are closed when the test is over. */
export async function openInstances<Count extends 2 | 3>(count: Count): Promise<Instances[Count]> {
  const url = await newDatabase();
  const open = async (): Promise<Store> => {
    const database = await openPostgres(url);
    const store = await database.open(ownStore);
    onTestFinished(async () => {
      await store.close();
      await database.close();
    });
    return store;
  };
  const stores: Store[] = [];
  while (stores.length < count) stores.push(await open());
  return stores as Instances[Count];
}

interface Instances {
  2: [Store, Store];
  3: [Store, Store, Store];
}
