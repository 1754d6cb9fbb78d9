import { expect, onTestFinished, test, vi } from "vitest";
import { Relay, type RelayOptions } from "../../../sandbox/mail/relay.ts";
import { parseSmtpUrl } from "../../../sandbox/mail/smtp-url.ts";
import { message, sentAt } from "./messages.ts";

/** A relay on a store that claims nothing by itself, at the time of the messages. */
function relayWith(clock: Partial<RelayOptions["clock"]> = {}, isShared = true, held = 0): Relay {
  return new Relay({
    store: {
      isShared,
      change: async () => undefined,
      message: async () => undefined,
      releaseClaims: async () => held,
    },
    clock: { frozen: false, advancing: false, now: () => sentAt, reach: (at) => at, ...clock },
    server: parseSmtpUrl("smtp://127.0.0.1:25"),
    simulatorDomain: "simulator.example",
  });
}

/** What a relay decides on 40 due messages. */
async function decideOn(relay: Relay) {
  const messages = Array.from({ length: 40 }, (_, number) => message({ id: `msg_${number}` }));
  const decisions = messages.map((due) => relay.due(due, sentAt));
  for (const due of messages) relay.drop(due);
  await relay.close(0);
  return {
    claimed: decisions.filter((decision) => decision?.start).length,
    others: decisions.filter((decision) => !decision?.start).map((decision) => decision?.step.message),
  };
}

test("one of several instances claims 32 messages, and leaves the others to whichever is free next", async () => {
  const { claimed, others } = await decideOn(relayWith());
  expect(claimed).toBe(32);
  expect(others.map((left) => left?.relay)).toEqual(Array.from({ length: 8 }));
  expect(others.map((left) => (left?.dueAt ?? 0) - sentAt)).toEqual([8, 16, 24, 32, 40, 48, 56, 64]);
});

test("a single instance, and an advance of the clock, claim all messages that are due", async () => {
  expect((await decideOn(relayWith({}, false))).claimed).toBe(40);
  expect((await decideOn(relayWith({ advancing: true }))).claimed).toBe(40);
  expect((await decideOn(relayWith({ frozen: true }))).claimed).toBe(40);
});

test("an advance that waits for other instances ends when this one closes", async () => {
  const relay = relayWith({ advancing: true }, true, 1);
  let ended = false;
  const settled = relay.settled().then(() => {
    ended = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(ended).toBe(false);
  await relay.close(0);
  await settled;
});

test("an advance waits for other instances for half a minute, however many claims they go on to have", async () => {
  const relay = relayWith({ advancing: true }, true, 1);
  let now = performance.now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 5_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  const start = now;
  expect([await relay.settled(), await relay.settled()]).toEqual([true, false]);
  expect(now - start).toBeGreaterThanOrEqual(30_000);
  await relay.close(0);
});
