import { expect, onTestFinished, test } from "vitest";
import { type SmtpHost, startSmtpHost } from "../mail/smtp-host.ts";
import { newDatabase } from "../store/postgres/cluster.ts";
import { forkInstance, otherOptions, sendTo, startInstance } from "./instances.ts";

/** An SMTP server that does not respond to the first four messages. */
async function startSlowHost(): Promise<{ host: SmtpHost; asked: Promise<void>; ids(): string[] }> {
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const host = await startSmtpHost({
    message: () => {
      asked += 1;
      if (asked === 4) all.resolve();
      return asked > 4 ? undefined : new Promise(() => {});
    },
  });
  onTestFinished(() => host.close());
  const ids = () => host.received.map(({ source }) => /^Message-ID: <(.+)@/m.exec(source)?.[1] ?? "");
  return { host, asked: all.promise, ids };
}

test("what a killed instance has claimed, another one relays within seconds, each message once", async () => {
  const { host, asked, ids } = await startSlowHost();
  const data = await newDatabase();
  const killed = await forkInstance(data, host.url);
  const sent = await sendTo(killed.url, 20);
  await asked;
  const { sandbox } = await startInstance({ ...otherOptions, data, smtp: host.url });
  await killed.kill();
  const killedAt = performance.now();
  const states = async () => {
    const messages = await sandbox.store.summaries({ limit: 99 });
    return Object.fromEntries(
      Map.groupBy(messages, ({ relay }) => relay?.state)
        .entries()
        .map(([state, all]) => [state, all.length]),
    );
  };
  // The server may have the four that it did not respond to.
  await expect.poll(states, { timeout: 60_000, interval: 200 }).toEqual({ done: 16, unknown: 4 });
  // A claim lasts 30 seconds, if nobody notices that its instance is gone.
  expect(performance.now() - killedAt).toBeLessThan(25_000);
  expect(new Set(ids()).size).toBe(ids().length);
  expect(ids().every((id) => sent.includes(id))).toBe(true);
});

test("an instance that lives keeps its claims, however long the SMTP server takes", async () => {
  const { host, asked, ids } = await startSlowHost();
  const data = await newDatabase();
  const busy = await startInstance({ data, smtp: host.url });
  await sendTo(busy.sandbox.url, 4);
  await asked;
  const other = await startInstance({ data, smtp: host.url });
  const first = await claims(other.sandbox.store);
  // Longer than claims last whose instance is gone.
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const later = await claims(other.sandbox.store);
  expect(later).toEqual(first);
  expect(ids()).toEqual([]);
});

/** By message, its state and who relays it. */
async function claims(store: Awaited<ReturnType<typeof startInstance>>["sandbox"]["store"]) {
  const messages = await store.summaries({ limit: 99 });
  return messages.map(({ id, relay }) => [id, relay?.state, relay?.holder]);
}

test("an advance of the clock by an instance that is killed is continued by another one", async () => {
  const { host, asked } = await startSlowHost();
  const data = await newDatabase();
  const killed = await forkInstance(data, host.url);
  const { sandbox } = await startInstance({ ...otherOptions, data, smtp: host.url });
  await sendTo(killed.url, 4);
  // Waits for the SMTP server, and holds the clock.
  const advanced = fetch(`${killed.url}/sandbox/clock`, {
    method: "POST",
    body: JSON.stringify({ advance: "PT1H" }),
    headers: { "content-type": "application/json" },
  }).catch(() => undefined);
  await asked;
  await expect
    .poll(async () => {
      await sandbox.store.refresh();
      return sandbox.store.setting("clock");
    })
    .toContain('"holder"');
  const before = sandbox.clock.now();
  await killed.kill();
  await advanced;
  await sandbox.clock.advance(60_000);
  expect(sandbox.clock.now()).toBeGreaterThanOrEqual(before + 60_000);
  expect(JSON.parse(sandbox.store.setting("clock") ?? "")).not.toHaveProperty("holder");
  const messages = await sandbox.store.summaries({ limit: 9 });
  expect(messages.map(({ relay }) => relay?.state)).toEqual(Array(4).fill("unknown"));
});
