import { expect, test } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { startSandbox } from "../../../sandbox/index.ts";
import { agreedLock } from "../../../sandbox/store/postgres/instances.ts";
import { keys } from "../rig.ts";
import { newDatabase, onServer } from "../store/postgres/cluster.ts";
import { temporaryFolder } from "../store/sample.ts";
import { startInstance, startTwo } from "./instances.ts";

const seed = { accounts: [{ id: "team", keys: [{ key: "team_key_1" }] }] };

test("an instance with other options than those that run does not start, and says which", async () => {
  const data = await newDatabase();
  const first = await startInstance({ data });
  const error = await startSandbox({ data, seed, clock: { frozen: true } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  expect((error as UserError).message).toBe(
    `other instances on the database ${first.sandbox.data} have other options: accounts of the seed (bakery, florist, gardener, plumber, starter, cinema, courier… there, team here), frozen (false there, true here), simulator domain of the seed (simulator.example there, not set here)`,
  );
  expect((error as UserError).hint).toMatch(/stop the others first/);
  expect(first.sandbox.clock.frozen).toBe(false);
  await first.sandbox.clock.advance(1_000);
  // Alone, it decides on the options.
  await first.sandbox.close();
  const second = await startInstance({ data, seed, clock: { frozen: true } });
  expect((await second.call("GET", "/api/v1/me", { key: "team_key_1" })).status).toBe(200);
  await expect(startSandbox({ data })).rejects.toThrow(/ frozen \(true there, false here\)/);
});

test("a start time is shown as it is typed, and an account that differs by its id", async () => {
  const data = await newDatabase();
  await startInstance({ data, seed });
  const accounts = [{ id: "team", keys: [{ key: "team_key_2" }] }];
  const clock = { startAt: Date.parse("2027-01-31T09:00:00Z") };
  await expect(startSandbox({ data, seed: { accounts }, clock })).rejects.toThrow(
    /have other options: account team \(another one there\), start-at \(not set there, 2027-01-31T09:00:00Z here\)$/,
  );
});

test("long lists of accounts that begin alike are shown from where they differ", async () => {
  const data = await newDatabase();
  const seedOf = (last: string) => ({
    accounts: [...Array.from({ length: 20 }, (_, index) => `team-${index + 1}`), last].map((id) => ({
      id,
      keys: [{ key: `${id}_key` }],
    })),
  });
  await startInstance({ data, seed: seedOf("blue") });
  await expect(startSandbox({ data, seed: seedOf("green") })).rejects.toThrow(
    /have other options: accounts of the seed \(…blue there, …green here\)$/,
  );
});

test("the password of an SMTP server is not in the error", async () => {
  const data = await newDatabase();
  await startInstance({ data, smtp: "smtp://ada:secret@127.0.0.1:1" });
  const error = await startSandbox({ data, smtp: "smtp://127.0.0.1:1" }).catch(String);
  expect(error).toMatch(/have other options: smtp \(another one there\)/);
  expect(error).not.toContain("secret");
});

test("an outbox folder is rejected: each instance would write a part of the mail", async () => {
  const data = await newDatabase();
  const folder = temporaryFolder();
  await expect(startSandbox({ data, outbox: folder })).rejects.toThrow(
    `mail of a PostgreSQL database is not written to an outbox folder (got "${folder}")`,
  );
});

test("instances with the same options start at the same time", async () => {
  const data = await newDatabase();
  const all = await Promise.all([1, 2, 3].map(() => startSandbox({ data, seed })));
  await Promise.all(all.map((sandbox) => sandbox.close()));
  const [one, other] = await startTwo({ data, seed });
  for (const { call } of [one, other])
    expect((await call("GET", "/api/v1/me", { key: "team_key_1" })).status).toBe(200);
});

test("an instance whose connection was lost is not ready until it has compared its options again", async () => {
  const data = await newDatabase();
  const { sandbox } = await startInstance({ data });
  const status = async () => (await fetch(`${sandbox.url}/health`)).status;
  expect(await status()).toBe(200);
  await onServer(async (client) => {
    await client.query("BEGIN; LOCK TABLE email_sandbox.instance_option");
    // Only the one that holds the lock: all others still work.
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = $1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      [agreedLock],
    );
    await expect.poll(status).toBe(503);
    const response = await fetch(`${sandbox.url}/health`);
    expect(await response.text()).toContain("options of the instances are not compared yet");
    const headers = { authorization: `Bearer ${keys.all}` };
    const me = await fetch(`${sandbox.url}/api/v1/me`, { headers });
    expect([me.status, me.headers.get("retry-after")]).toEqual([503, "1"]);
    await client.query("COMMIT");
  }, data);
  await expect.poll(status).toBe(200);
});

test("an instance that reconnects after others with other options have come is not ready until they are gone", async () => {
  const data = await newDatabase();
  const errors: unknown[] = [];
  const { sandbox } = await startInstance({ data, onError: (error) => errors.push(error) });
  const statuses = async () => {
    const headers = { authorization: `Bearer ${keys.all}` };
    const requests = ["/health", "/api/v1/me"].map((path) => fetch(sandbox.url + path, { headers }));
    return (await Promise.all(requests)).map(({ status }) => status);
  };
  await onServer(async (client) => {
    // Comes first after a restart, with another seed.
    await client.query("BEGIN; LOCK TABLE email_sandbox.instance_option");
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    await client.query(
      "UPDATE email_sandbox.instance_option SET value = 'other' WHERE name = 'accounts of the seed'",
    );
    await client.query("SELECT pg_advisory_lock_shared($1)", [agreedLock]);
    await client.query("COMMIT");
    const reason = async () => (await fetch(`${sandbox.url}/health`)).text();
    await expect.poll(reason).toContain("have other options: accounts of the seed");
    expect(await statuses()).toEqual([503, 503]);
    expect(String(errors.find((error) => error instanceof UserError))).toMatch(
      /have other options: accounts of the seed/,
    );
  }, data);
  await expect.poll(statuses).toEqual([200, 200]);
});
