import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { disconnect, newDatabase } from "../postgres/databases.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { caller, day, keys, mail, start, time } from "./rig.ts";

/** An instance of this process, with requests whose responses are validated against the contract. */
interface Instance {
  sandbox: Sandbox;
  call: ReturnType<typeof caller>;
}

async function startInstance(options: SandboxOptions): Promise<Instance> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return { sandbox, call: caller((path, init) => fetch(sandbox.url + path, init)) };
}

/** Two instances on a new database. What the contract requires of them is tested by the suite, which runs on two as well. */
async function startTwo(options: SandboxOptions = {}): Promise<[Instance, Instance, data: string]> {
  const data = await newDatabase();
  const all = await Promise.all([1, 2].map(() => startInstance({ ...options, data })));
  return [...(all as [Instance, Instance]), data];
}

const frozen = { clock: { frozen: true, startAt: start } };

test("a due message is sent once, whichever instance advances the clock", async () => {
  const [one, other] = await startTwo(frozen);
  const body = mail({ scheduled_at: time(start + day) });
  const ids = await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const { call } = index % 2 === 0 ? one : other;
      return (await call("POST", "/api/v1/emails", { body })).body.id as string;
    }),
  );
  await Promise.all([one.sandbox.clock.advance(day), other.sandbox.clock.advance(day)]);
  for (const { sandbox } of [one, other]) {
    const { body } = await one.call("GET", `/api/v1/emails/${ids[0]}`);
    expect(body.status).toBe("delivered");
    expect(sandbox.clock.now()).toBe(start + 2 * day);
  }
  const messages = await other.sandbox.outbox.messages();
  expect(messages.map(({ events }) => events.map(({ type }) => type).join())).toEqual(
    ids.map(() => "sent,delivered"),
  );
  expect(await one.sandbox.store.used("bakery", start)).toBe(60);
});

test("a running clock delivers what the other instance accepted", async () => {
  const [one, other] = await startTwo({ delays: { delivery: 10 } });
  const { body } = await one.call("POST", "/api/v1/emails", { body: mail() });
  await expect
    .poll(async () => (await other.call("GET", `/api/v1/emails/${body.id}`)).body.status)
    .toBe("delivered");
});

test("while the database is away every request gets 503, and works again afterwards", async () => {
  const [{ sandbox }, , data] = await startTwo();
  const paths = ["/api/v1/me", "/contacts", "/sandbox/clock", "/health"];
  const get = (path: string) =>
    fetch(sandbox.url + path, { headers: { authorization: `Bearer ${keys.all}` } });
  const statuses = async () => (await Promise.all(paths.map(get))).map(({ status }) => status);
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  await disconnect(data, false);
  expect(await statuses()).toEqual([503, 503, 503, 503]);
  expect((await get("/api/v1/me")).headers.get("retry-after")).toBe("1");
  await disconnect(data, true);
  await expect.poll(statuses).toEqual([200, 200, 200, 200]);
});

test("an outbox folder is rejected: each instance would write a part of the mail", async () => {
  const data = await newDatabase();
  const folder = temporaryFolder();
  await expect(startSandbox({ data, outbox: folder })).rejects.toThrow(
    `mail of a PostgreSQL database is not written to an outbox folder (got "${folder}")`,
  );
});
