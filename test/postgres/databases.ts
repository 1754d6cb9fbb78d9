import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";

/** The URL of a new database on the server of the test run, which is deleted when the test is over. */
export async function newDatabase(): Promise<string> {
  const url = new URL(inject("postgres"));
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name}`));
  onTestFinished(() => onServer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  url.pathname = name;
  return url.href;
}

/** Executes statements as an administrator. */
export async function onServer(
  work: (client: pg.Client) => Promise<unknown>,
  connectionString: string = inject("postgres"),
): Promise<void> {
  const client = new pg.Client({ connectionString });
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
