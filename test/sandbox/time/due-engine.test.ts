import { expect, onTestFinished, test, vi } from "vitest";
import { noOutbound, type Outbound, usualDelays } from "../../../sandbox/domain/due.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { MemoryStore } from "../../../sandbox/store/memory.ts";
import { SandboxClock } from "../../../sandbox/time/clock.ts";
import { type DueEngineOptions, startDueEngine } from "../../../sandbox/time/due-engine.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { day, noon, scheduledMessage, second, sentMessage, taking, withSettings } from "../store/records.ts";
import { openUnfilled } from "../store/stores.ts";

const rules = { simulatorDomain: "simulator.example", delays: usualDelays };

async function started(
  store: Store,
  options: { frozen?: boolean } & Partial<Pick<DueEngineOptions, "onError" | "outbound">> = {},
): Promise<{ store: Store; clock: SandboxClock; stop: () => Promise<void> }> {
  const { frozen = true, outbound = noOutbound, onError = () => {} } = options;
  const clock = new SandboxClock({ store, frozen, startAt: noon });
  await store.fill(withSettings(clock.atStart()));
  const { stop } = startDueEngine({ store, clock, rules, outbound, onError });
  onTestFinished(stop);
  return { store, clock, stop };
}

const statusOf = async (store: Store, id: string) => (await store.message("acc_one", id))?.status;

test("an advance resolves when everything until then has happened, each thing at its time, and hands over what was sent", async () => {
  const sent: string[] = [];
  const outbound: Outbound = {
    ...noOutbound,
    send: (messages) => sent.push(...messages.map(({ id }) => id)),
  };
  const { store, clock } = await started(new MemoryStore(), { outbound });
  await store.accept(
    taking([
      scheduledMessage("late", noon + day),
      scheduledMessage("early", noon + 5),
      scheduledMessage("next", noon + 6),
      sentMessage("before"),
    ]),
  );
  await clock.advance(day - 1);
  expect(clock.now()).toBe(noon + day - 1);
  expect(sent).toEqual(["early", "next"]);
  expect(await store.message("acc_one", "early")).toMatchObject({
    sentAt: noon + 5,
    deliveredAt: noon + 5 + 2 * second,
  });
  expect(await statusOf(store, "late")).toBe("scheduled");
  await clock.advance(1);
  expect(await store.message("acc_one", "late")).toMatchObject({ status: "sent", sentAt: noon + day });
  expect(sent).toEqual(["early", "next", "late"]);
});

test("what is over by the start is forgotten then", async () => {
  const store = new MemoryStore();
  const sent = noon - 31 * day;
  await store.accept(taking([sentMessage("a", { createdAt: sent, sentAt: sent, dueAt: null })], null, sent));
  const { stop } = await started(store);
  await stop();
  await expect.poll(() => store.message("acc_one", "a")).toBeUndefined();
});

test("requests during an advance are handled in between", async () => {
  const { store, clock } = await started(new MemoryStore());
  await store.accept(
    taking(Array.from({ length: 2_000 }, (_, index) => scheduledMessage(`m${index}`, noon + index * second))),
  );
  let isDone = false;
  const moved = clock.advance(day).then(() => {
    isDone = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(isDone).toBe(false);
  await moved;
  expect(await statusOf(store, "m1999")).toBe("delivered");
  expect(await store.used("acc_one", noon)).toBe(4_000);
});

test("a reset ends an advance: what is due then belongs to another time", async () => {
  const { store, clock } = await started(new MemoryStore());
  await store.accept(
    taking(Array.from({ length: 1_000 }, (_, index) => scheduledMessage(`m${index}`, noon + index))),
  );
  const moved = clock.advance(day);
  await new Promise((resolve) => setTimeout(resolve));
  await store.reset({
    ...withSettings(clock.atStart()),
    messages: [scheduledMessage("next", noon + second)],
  });
  await moved;
  expect([clock.now(), await statusOf(store, "next")]).toEqual([noon, "scheduled"]);
});

test("a running clock does what is due by itself, also after it was advanced", async () => {
  const { store, clock } = await started(new MemoryStore(), { frozen: false });
  await store.accept(taking([sentMessage("a", { dueAt: clock.now() + 20 })]));
  await expect.poll(() => statusOf(store, "a")).toBe("delivered");
  await store.accept(taking([scheduledMessage("later", clock.now() + day)]));
  await clock.advance(2 * day);
  expect(await statusOf(store, "later")).toBe("delivered");
  await store.accept(taking([sentMessage("soon", { dueAt: clock.now() + 5 })]));
  await expect.poll(() => statusOf(store, "soon")).toBe("delivered");
});

test("what came due while nothing ran happens after the start, and the clock goes on where it was", async () => {
  const folder = temporaryFolder();
  const first = await started(await openUnfilled(folder));
  await first.store.accept(
    taking([scheduledMessage("a", noon + day), scheduledMessage("b", noon + 3 * day)]),
  );
  await first.clock.advance(2 * day);
  await first.stop();
  await first.store.close();
  const second = await started(await openUnfilled(folder));
  expect(second.clock.now()).toBe(noon + 2 * day);
  await second.clock.advance(day);
  expect(await second.store.message("acc_one", "b")).toMatchObject({
    status: "sent",
    sentAt: noon + 3 * day,
  });
  expect(await second.store.used("acc_one", noon)).toBe(4);
});

test("what has had its time is forgotten when the clock passes it", async () => {
  const { store, clock } = await started(new MemoryStore());
  await store.accept(taking([sentMessage("a")]));
  await clock.advance(29 * day);
  expect(await store.message("acc_one", "a")).toBeDefined();
  await clock.advance(day);
  expect(await store.message("acc_one", "a")).toBeUndefined();
});

test("a store that fails is reported, and what was due happens a second later", async () => {
  const store = new MemoryStore();
  const errors: unknown[] = [];
  const { clock } = await started(store, { frozen: false, onError: (error) => errors.push(error) });
  vi.spyOn(store, "runDue").mockRejectedValueOnce(new Error("the disk is full"));
  await store.accept(taking([sentMessage("a", { dueAt: clock.now() })]));
  await expect.poll(() => errors).toEqual([new Error("the disk is full")]);
  expect(await statusOf(store, "a")).toBe("sent");
  await expect.poll(() => statusOf(store, "a")).toBe("delivered");
});

test("a running clock follows one that another instance has advanced", async () => {
  const { store, clock } = await started(new MemoryStore(), { frozen: false });
  await store.accept(taking([scheduledMessage("a", noon + day)]));
  // The other instance ends before it can send the message.
  const offset = noon + day - 50 - Date.now();
  await store.changeSetting("clock", () => ({ value: JSON.stringify({ offset }), result: undefined }));
  await expect.poll(() => statusOf(store, "a")).toBe("sent");
  expect(clock.now()).toBeGreaterThanOrEqual(noon + day);
});
