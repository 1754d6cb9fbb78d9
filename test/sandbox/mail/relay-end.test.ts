import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { StoreUnavailableError } from "../../../sandbox/domain/unavailable.ts";
import { message, sentAt } from "./messages.ts";
import { openPostOffice } from "./post-office.ts";
import { no, type SmtpHost, startSmtpHost } from "./smtp-host.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

/** A server that waits before it replies. */
async function slowHost(): Promise<{ host: SmtpHost; arrived: Promise<void>; reply: () => void }> {
  const [arrived, told] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  const host = await startSmtpHost({
    message: () => {
      arrived.resolve();
      return told.promise;
    },
  });
  opened.push(host.close);
  return { host, arrived: arrived.promise, reply: () => told.resolve(undefined) };
}

test("closing waits for the attempt in progress", async () => {
  const { host, arrived, reply } = await slowHost();
  const office = await openPostOffice({ smtp: host.url });
  await office.send(message());
  const moved = office.clock.advance(0);
  await arrived;
  const closed = office.close();
  reply();
  await closed;
  await moved;
  expect((await office.read("msg_0001")).status).toBe("delivered");
  await office.end();
});

test("a store that cannot be reached gets the server's reply as soon as it can, once", async () => {
  const { host, reply } = await slowHost();
  reply();
  const office = await openPostOffice({ smtp: host.url });
  const { store } = office;
  const change: typeof store.change = store.change.bind(store);
  let calls = 0;
  store.change = async (...given) => {
    calls += 1;
    const away = new StoreUnavailableError("The database does not respond.");
    // The first two calls count the attempt and announce the message; the reply is not stored, and then stored although it fails.
    if (calls === 3) throw away;
    const changed = await change(...given);
    if (calls === 4) throw away;
    return changed;
  };
  await office.send(message());
  await office.clock.advance(0);
  const { status, events } = await office.read("msg_0001");
  expect([status, events.filter(({ type }) => type === "delivered").length]).toEqual(["delivered", 1]);
  expect([calls, host.received.length, office.errors]).toEqual([5, 1, []]);
  await office.end();
});

test("closing aborts an attempt that exceeds the deadline: the message is in doubt", async () => {
  const { host, arrived } = await slowHost();
  const office = await openPostOffice({ smtp: host.url, closeDeadline: 100 });
  await office.send(message());
  const moved = office.clock.advance(0);
  await arrived;
  await office.close();
  await moved;
  expect(await office.read("msg_0001")).toMatchObject({
    status: "sent",
    dueAt: null,
    events: [{ type: "sent" }, { type: "relay_unknown" }],
  });
  await office.end();
});

test("a message that is queued when the sandbox closes is relayed at the next start", async () => {
  const { host, arrived, reply } = await slowHost();
  const office = await openPostOffice({ smtp: host.url });
  await office.send(...Array.from({ length: 20 }, (_, n) => message({ id: `msg_${n}` })));
  const moved = office.clock.advance(0);
  await arrived;
  const closed = office.close();
  reply();
  await closed;
  await moved;
  const states = await Promise.all(Array.from({ length: 20 }, async (_, n) => office.read(`msg_${n}`)));
  expect(states.filter(({ status }) => status === "delivered")).toHaveLength(host.received.length);
  for (const { status, dueAt } of states) expect(status === "delivered" || (dueAt ?? 0) > sentAt).toBe(true);
  expect(host.received.length).toBeLessThan(20);
  await office.end();
});

test("a reset drops the attempts in progress: they change no message with the same id", async () => {
  const { host, arrived, reply } = await slowHost();
  const office = await openPostOffice({ smtp: host.url });
  opened.push(office.end);
  await office.send(message({}, { subject: "Before" }));
  const moved = office.clock.advance(0);
  await arrived;
  await office.reset();
  await office.send(
    message({ dueAt: sentAt + 1_000, to: ["success@simulator.example"] }, { subject: "After" }),
  );
  reply();
  await moved;
  const after = await office.read("msg_0001");
  expect(after).toMatchObject({ status: "sent", content: { subject: "After" } });
  expect(after).not.toHaveProperty("relay");
});

test("other due messages are processed while the server is slow", async () => {
  const { host, arrived, reply } = await slowHost();
  const office = await openPostOffice({ smtp: host.url, running: true });
  opened.push(office.end);
  await office.send(message());
  await arrived;
  await office.send(message({ id: "msg_0002", to: ["bounce@simulator.example"], dueAt: 0 }));
  await expect.poll(async () => (await office.read("msg_0002")).status).toBe("bounced");
  expect((await office.read("msg_0001")).status).toBe("sent");
  reply();
  await expect.poll(async () => (await office.read("msg_0001")).status).toBe("delivered");
});

test("a message is relayed once, even if the clock is advanced during a run of the due engine", async () => {
  const host = await startSmtpHost();
  const office = await openPostOffice({ smtp: host.url });
  opened.push(host.close, office.end);
  for (let n = 0; n < 25; n++) {
    await office.send(message({ id: `msg_${n}` }), message({ id: `msg_${n}_more` }));
    // What is due begins by itself about now.
    await pause(n);
    await Promise.all([office.clock.advance(3_600_000), office.clock.advance(3_600_000)]);
    expect({ n, received: host.received.length }).toEqual({ n, received: 2 * n + 2 });
  }
});

test("with a running clock a message is relayed at once, and retried automatically", async () => {
  let asked = 0;
  const host = await startSmtpHost({ message: () => (++asked === 1 ? no(451, "4.3.0 Later") : undefined) });
  const office = await openPostOffice({ smtp: host.url, running: true });
  opened.push(host.close, office.end);
  await office.send(message({ dueAt: sentAt + 1_000_000 }));
  await expect.poll(() => asked).toBe(1);
  await office.clock.advance(5_000);
  await expect.poll(() => host.received.length).toBe(1);
});
