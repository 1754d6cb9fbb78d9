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

/** Two instances on a new database. */
async function startTwo(options: SandboxOptions = {}): Promise<[Instance, Instance, data: string]> {
  const data = await newDatabase();
  const all = await Promise.all([1, 2].map(() => startInstance({ ...options, data })));
  return [...(all as [Instance, Instance]), data];
}

const frozen = { clock: { frozen: true, startAt: start } };

test("a request that is sent to both with the same idempotency key is accepted once", async () => {
  const [one, other] = await startTwo(frozen);
  const send = ({ call }: Instance, key: string, text = "Hello.") =>
    call("POST", "/api/v1/emails", { body: mail({ text }), headers: { "idempotency-key": key } });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(index % 2 === 0 ? one : other, `order-${index >> 2}`)),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(5);
  expect(await one.sandbox.outbox.messages()).toHaveLength(5);
  // A large body is hashed when its fingerprint is needed.
  const large = "x".repeat(100_000);
  const first = await send(one, "large", large);
  expect(await send(other, "large", large)).toMatchObject({ body: first.body });
  expect(await send(other, "large", `${large}!`)).toMatchObject({ status: 409 });
});

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

test("the rate limit counts the requests to both", async () => {
  const [one, other] = await startTwo({ ...frozen, requestsPerMinute: 10 });
  const headers = { authorization: `Bearer ${keys.all}` };
  const statuses = await Promise.all(
    Array.from(
      { length: 14 },
      async (_, index) =>
        (await fetch(`${(index % 2 === 0 ? one : other).sandbox.url}/api/v1/me`, { headers })).status,
    ),
  );
  expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
});

test("settings and resets of one are seen by the other with its next request", async () => {
  const [one, other] = await startTwo(frozen);
  await one.sandbox.failures.add({ kind: "status", status: 503, body: true });
  expect((await other.call("GET", "/api/v1/me")).status).toBe(503);
  expect((await one.call("GET", "/api/v1/me")).status).toBe(200);
  await one.call("POST", "/api/v1/emails", { body: mail() });
  await other.sandbox.reset();
  expect(await one.sandbox.outbox.messages()).toEqual([]);
  const { status, body } = await one.call("POST", "/api/v1/emails", { body: mail() });
  expect(status).toBe(202);
  expect((await other.sandbox.outbox.messages()).map(({ id }) => id)).toEqual([body.id]);
  expect(await other.sandbox.store.used("bakery", start)).toBe(1);
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
