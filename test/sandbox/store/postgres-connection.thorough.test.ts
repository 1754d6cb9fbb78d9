import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { UserError } from "../../../lib/user-error.ts";
import { ClosedError, StoreUnavailableError } from "../../../sandbox/domain/store.ts";
import { openPostgres } from "../../../sandbox/store/sql/postgres.ts";
import { freePort } from "../../free-port.ts";
import { disconnect, newDatabase, onServer } from "../../postgres/databases.ts";
import { startPostgres } from "../../postgres/server.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { named, noon, sentMessage, taking } from "./records.ts";
import { openEmpty } from "./stores.ts";

const failure = async (url: string): Promise<UserError> => {
  const error = await openPostgres(url, { timeout: 0 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  return error as UserError;
};

/** A server on the network. @param method how it authenticates users */
async function startNetworkServer(port: number, method: string) {
  const folder = temporaryFolder();
  const file = join(folder, "pg_hba.conf");
  writeFileSync(file, `local all all trust\nhost all all 127.0.0.1/32 ${method}\n`);
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o755);
  const server = await startPostgres({
    port,
    settings: { listen_addresses: "127.0.0.1", hba_file: file },
  });
  onTestFinished(() => server.close());
  return server;
}

test("the error of a database that cannot be reached has no password", async () => {
  const { message, hint, stack } = await failure("postgres://ada:secret@127.0.0.1:1/mail");
  expect(message).toBe(
    "the database postgres://ada@127.0.0.1:1/mail cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
  );
  expect(`${message} ${hint} ${stack}`).not.toContain("secret");
});

test("a wrong password, a missing one, a missing database, missing rights and missing TLS are told apart", async () => {
  const port = await freePort();
  const server = await startNetworkServer(port, "scram-sha-256");
  await onServer((client) => client.query("CREATE ROLE ada LOGIN PASSWORD 'secret'"), server.url);
  const shown = `postgres://ada@127.0.0.1:${port}/postgres`;
  expect((await failure(shown.replace("ada@", "ada:wrong@"))).message).toBe(
    `the database ${shown} rejects the password: password authentication failed for user "ada"`,
  );
  expect(await failure(shown)).toMatchObject({
    message: expect.stringContaining(`the database ${shown} needs a password`),
    hint: "Set PGPASSWORD, or PGPASSFILE.",
  });
  vi.stubEnv("PGPASSWORD", "secret");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await failure(shown.replace(/postgres$/, "nothing"))).message).toMatch(/ does not exist: /);
  expect((await failure(shown)).message).toMatch(/ does not let its user create tables: /);
  expect((await failure(`${shown}?sslmode=require`)).message).toMatch(
    / cannot be reached with encryption: .*does not support SSL/,
  );
});

test("a database that starts later is waited for, and the log says so once", async () => {
  const port = await freePort();
  const errors: unknown[] = [];
  const opening = openPostgres(`postgres://sandbox@127.0.0.1:${port}/postgres`, {
    onError: (error) => errors.push(error),
  });
  await wait(300);
  await startNetworkServer(port, "trust");
  const { database } = await opening;
  expect(errors.map(String)).toEqual([
    expect.stringMatching(/cannot be reached yet: .*ECONNREFUSED.*; trying again for 30 seconds$/),
  ]);
  await database.close();
});

test("the data of a newer version is rejected, with what to do", async () => {
  const url = await newDatabase();
  await (await openPostgres(url)).database.close();
  const later = "INSERT INTO email_sandbox.kysely_migration VALUES ('9 later', '')";
  await onServer((client) => client.query(later), url);
  const error = await failure(url);
  expect(error.message).toContain("was written by a newer version");
  expect(error.hint).toContain("Use that version");
});

test("without a connection every method says when to retry, and afterwards everything works again", async () => {
  const url = await newDatabase();
  const store = await openEmpty(url);
  await store.accept(taking([sentMessage("msg_1")]));
  await disconnect(url, false);
  const errors = await Promise.all(
    [
      () => store.readSettings(),
      () => store.accept(taking([sentMessage("msg_2")])),
      () => store.countRequest("acc_one", noon, 5),
      () => store.message("acc_one", "msg_1"),
      () => store.changeSetting("colour", () => ({ value: "green", result: null })),
    ].map((call) => call().catch((error: unknown) => error)),
  );
  for (const error of errors) expect(error).toBeInstanceOf(StoreUnavailableError);
  await disconnect(url, true);
  await expect.poll(() => store.readSettings().then(() => "works", String)).toBe("works");
  await store.accept(taking([sentMessage("msg_3")]));
  expect((await store.messages({ limit: 9 })).map(({ id }) => id)).toEqual(["msg_3", "msg_1"]);
  await store.close();
  await expect(store.readSettings()).rejects.toThrow(ClosedError);
});

test("connections that end at any moment lose nothing that was accepted, and leave nothing half-written", async () => {
  const url = await newDatabase();
  const store = await openEmpty(url);
  const accepted: string[] = [];
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
          () => wait(5, false),
        );
      accepted.push(one, other);
    }
  };
  const workers = Array.from({ length: 20 }, work);
  for (let kills = 0; kills < 15; kills += 1) {
    await wait(40);
    await disconnect(url, true);
  }
  stopped = true;
  await Promise.all(workers);
  const stored = (await store.messages({ limit: 1e6 })).map(({ id }) => id);
  expect(stored.toSorted()).toEqual(accepted.toSorted());
  expect(accepted.length).toBeGreaterThan(0);
  expect(await store.used("acc_one", noon)).toBe(accepted.length);
});
