import { expect, onTestFinished, test, vi } from "vitest";
import { usualDelays } from "../../../sandbox/domain/due.ts";
import type { DueMessage, Store } from "../../../sandbox/domain/store.ts";
import { createClock, type SandboxClock } from "../../../sandbox/time/clock.ts";
import { DueEngine, type DueEngineOptions } from "../../../sandbox/time/due-engine.ts";
import { day, noon, scheduledMessage, second, sentMessage, taking, withSettings } from "../store/records.ts";
import { opened, temporaryFolder } from "../store/sample.ts";

const rules = { simulatorDomain: "simulator.example", delays: usualDelays };

type OnSteps = (messages: DueMessage[]) => void;

/** Reports the messages of each run of due messages once they are stored. */
function observeSteps(store: Store, onSteps: OnSteps): void {
  const runDue = store.runDue.bind(store);
  store.runDue = async (run) => {
    const stepped: DueMessage[] = [];
    const step = (message: DueMessage) => {
      const result = run.step(message);
      stepped.push(result.message);
      return result;
    };
    const steps = await runDue({ ...run, step });
    if (steps > 0) onSteps(stepped);
    return steps;
  };
}

async function started(
  store: Store,
  options: { frozen?: boolean; onSteps?: OnSteps } & Pick<DueEngineOptions, "onError"> = {},
): Promise<{ store: Store; clock: SandboxClock; stop: () => Promise<void> }> {
  const { frozen = true, onSteps, ...rest } = options;
  if (onSteps !== undefined) observeSteps(store, onSteps);
  const clock = createClock({ store, frozen, startAt: noon });
  await store.fill(withSettings(clock.atStart()));
  const engine = new DueEngine({ store, clock, rules, ...rest });
  const stop = () => engine.stop();
  onTestFinished(stop);
  return { store, clock, stop };
}

test("an advance resolves when everything until then has happened, each thing at its time and in its order", async () => {
  const steps: string[] = [];
  const { store, clock } = await started(opened(), {
    onSteps: (messages) => steps.push(...messages.map((message) => `${message.id} ${message.status}`)),
  });
  await store.accept(
    taking([
      scheduledMessage("late", noon + day),
      scheduledMessage("early", noon + 5),
      scheduledMessage("next", noon + 6),
    ]),
  );
  await clock.advance(day - 1);
  expect(clock.now()).toBe(noon + day - 1);
  expect(steps).toEqual(["early sent", "next sent", "early delivered", "next delivered"]);
  expect(await store.message("acc_one", "early")).toMatchObject({
    sentAt: noon + 5,
    deliveredAt: noon + 5 + 2 * second,
  });
  expect(await store.message("acc_one", "late")).toMatchObject({ status: "scheduled" });
  await clock.advance(1);
  expect(await store.message("acc_one", "late")).toMatchObject({ status: "sent", sentAt: noon + day });
});

test("what is over by the start is forgotten then", async () => {
  const store = opened();
  const sent = noon - 31 * day;
  await store.accept(taking([sentMessage("a", { createdAt: sent, sentAt: sent, dueAt: null })], null, sent));
  const { stop } = await started(store);
  await stop();
  await expect.poll(() => store.message("acc_one", "a")).toBeUndefined();
});

test("requests during an advance are handled in between, and what they make due happens too", async () => {
  const { store, clock } = await started(opened());
  await store.accept(
    taking(Array.from({ length: 2_000 }, (_, index) => scheduledMessage(`m${index}`, noon + index * second))),
  );
  const moved = clock.advance(day);
  await store.message("acc_one", "m0");
  const during = clock.now();
  await store.accept(
    taking(
      [sentMessage("during", { createdAt: during, sentAt: during, dueAt: during + 2 * second })],
      null,
      during,
    ),
  );
  await moved;
  expect(during).toBeLessThan(noon + day);
  expect(await store.message("acc_one", "during")).toMatchObject({
    status: "delivered",
    deliveredAt: during + 2 * second,
  });
  expect(await store.used("acc_one", noon)).toBe(4_001);
});

test("a running clock does what is due by itself", async () => {
  const { promise, resolve } = Promise.withResolvers<DueMessage[]>();
  const { store, clock } = await started(opened(), { frozen: false, onSteps: resolve });
  await store.accept(taking([sentMessage("a", { dueAt: clock.now() + 20 })]));
  expect(await promise).toMatchObject([{ id: "a", status: "delivered" }]);
  expect(await store.message("acc_one", "a")).toMatchObject({ status: "delivered" });
});

test("a running clock that was moved on waits for what is due next, not for what it waited for before", async () => {
  const delivered = Promise.withResolvers<void>();
  const onSteps = (messages: DueMessage[]) => {
    if (messages.some((message) => message.id === "soon")) delivered.resolve();
  };
  const { store, clock } = await started(opened(), { frozen: false, onSteps });
  await store.accept(taking([scheduledMessage("later", clock.now() + day)]));
  await clock.advance(2 * day);
  expect(await store.message("acc_one", "later")).toMatchObject({ status: "delivered" });
  await store.accept(taking([sentMessage("soon", { dueAt: clock.now() + 5 })]));
  await delivered.promise;
  expect(await store.message("acc_one", "soon")).toMatchObject({ status: "delivered" });
});

test("what came due while nothing ran happens after the start, and the clock goes on where it was", async () => {
  const folder = temporaryFolder();
  const first = await started(opened(folder));
  await first.store.accept(
    taking([scheduledMessage("a", noon + day), scheduledMessage("b", noon + 3 * day)]),
  );
  await first.clock.advance(2 * day);
  await first.stop();
  await first.store.close();
  const second = await started(opened(folder));
  expect(second.clock.now()).toBe(noon + 2 * day);
  await second.clock.advance(day);
  expect(await second.store.message("acc_one", "b")).toMatchObject({
    status: "sent",
    sentAt: noon + 3 * day,
  });
  expect(await second.store.used("acc_one", noon)).toBe(4);
});

test("what has had its time is forgotten when the clock passes it", async () => {
  const { store, clock } = await started(opened());
  await store.accept(taking([sentMessage("a")]));
  await clock.advance(29 * day);
  expect(await store.message("acc_one", "a")).toBeDefined();
  await clock.advance(day);
  expect(await store.message("acc_one", "a")).toBeUndefined();
});

test("a store that fails is reported, and what was due happens later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const store = opened();
  const failed = Promise.withResolvers<unknown>();
  const done = Promise.withResolvers<DueMessage[]>();
  const { clock } = await started(store, { frozen: false, onError: failed.resolve, onSteps: done.resolve });
  vi.spyOn(store, "runDue").mockRejectedValueOnce(new Error("the disk is full"));
  await store.accept(taking([sentMessage("a", { dueAt: clock.now() })]));
  await vi.advanceTimersByTimeAsync(10);
  expect(await failed.promise).toEqual(new Error("the disk is full"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await done.promise).toMatchObject([{ status: "delivered" }]);
});

test("a stopped engine does nothing more, and the clock does not advance", async () => {
  const { store, clock, stop } = await started(opened());
  await store.accept(taking([sentMessage("a")]));
  await stop();
  const before = clock.now();
  await expect(clock.advance(day)).rejects.toThrow("The sandbox is closed.");
  expect(clock.now()).toBe(before);
  expect(await store.message("acc_one", "a")).toMatchObject({ status: "sent" });
});

test("a timer follows a clock that another instance has advanced", async () => {
  const store = opened();
  const { clock } = await started(store, { frozen: false });
  await store.accept(taking([scheduledMessage("a", noon + day)]));
  await new Promise((resolve) => setTimeout(resolve, 20));
  // The other instance ends before it can send the message.
  const offset = noon + day - 50 - Date.now();
  await store.changeSetting("clock", () => ({ value: JSON.stringify({ offset }), result: undefined }));
  await store.accept(taking([scheduledMessage("b", noon + day)]));
  await expect.poll(async () => (await store.message("acc_one", "a"))?.status).toBe("sent");
  expect(clock.now()).toBeGreaterThanOrEqual(noon + day);
});
