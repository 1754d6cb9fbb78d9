import { describe, expect, test } from "vitest";
import { dueSteps, usualDelays } from "../../../../sandbox/domain/due.ts";
import type { DueMessage, DueRun, DueStep } from "../../../../sandbox/domain/store.ts";
import { cancel, day, hour, noon, scheduledMessage, taking } from "../records.ts";
import type { OpenStore } from "../stores.ts";

/** A run in which each message is sent, and delivered two seconds later. `seen` has the messages that took part. */
function runUntil(until: number, limit = 100): { seen: string[]; run: DueRun } {
  const seen: string[] = [];
  const rules = { simulatorDomain: "simulator.example", delays: usualDelays };
  const step = (message: DueMessage): DueStep => {
    seen.push(`${message.id} ${message.status} ${(message.dueAt ?? Number.NaN) - noon}`);
    return dueSteps(message, until, rules);
  };
  return { seen, run: { until, limit, step } };
}

export function dueTests(open: OpenStore): void {
  describe("due messages", () => {
    test("are processed at their time, the earliest first, with everything that is due by then", async () => {
      const store = await open();
      const times = { b: noon + 2, c: noon + 1_000, a: noon + 1 };
      await store.accept(taking(Object.entries(times).map(([id, time]) => scheduledMessage(id, time))));
      expect(await store.runDue(runUntil(noon).run)).toEqual([]);
      const { seen, run } = runUntil(noon + 2_001);
      const steps = await store.runDue(run);
      expect(seen).toEqual(["a scheduled 1", "b scheduled 2", "c scheduled 1000"]);
      expect(steps.map(({ message }) => message.status)).toEqual(["delivered", "sent", "sent"]);
      expect(await store.nextDue()).toBe(noon + 2_002);
      expect(await store.message("acc_one", "a")).toMatchObject({
        ...{ status: "delivered", sentAt: noon + 1, deliveredAt: noon + 2_001, dueAt: null },
        content: { subject: "Receipt" },
      });
      expect(await store.message("acc_one", "b")).toMatchObject({ status: "sent", sentAt: noon + 2 });
      expect((await store.summaries({ limit: 9, search: "receipt" })).map(({ id }) => id)).toEqual([
        ...["a", "c", "b"],
      ]);
    });

    test.each([1, 2, 3, 7])("are in the same order in slices of %i", async (limit) => {
      const store = await open();
      const times = [5_000, 1_000, 2_500, 1_001, 3_000, 3_000, 900, 20_000];
      await store.accept(taking(times.map((time, index) => scheduledMessage(`m${index}`, noon + time))));
      const { seen, run } = runUntil(noon + hour, limit);
      for (let steps = limit; steps > 0; ) steps = (await store.runDue(run)).length;
      expect(seen.map((line) => line.split(" ")[0]).join(" ")).toBe("m6 m1 m3 m2 m4 m5 m0 m7");
    });

    test("count their recipients in the month in which they are sent", async () => {
      const store = await open();
      const june = Date.UTC(2026, 5, 1);
      await store.accept(
        taking([scheduledMessage("a", june - 1), scheduledMessage("b", june)], null, june + 40 * day),
      );
      await store.runDue(runUntil(june).run);
      expect([await store.used("acc_one", june - 1), await store.used("acc_one", june)]).toEqual([1, 1]);
    });

    test("stay as they were if a step fails", async () => {
      const store = await open();
      await store.accept(taking([scheduledMessage("a", noon + 1), scheduledMessage("b", noon + 2)]));
      const { run } = runUntil(noon + 2);
      const failing = store.runDue({
        ...run,
        step(message) {
          if (message.id === "b") throw new Error("a mistake of the caller");
          return run.step(message);
        },
      });
      await expect(failing).rejects.toThrow("a mistake of the caller");
      expect(await store.message("acc_one", "a")).toMatchObject({ status: "scheduled" });
      expect(await store.nextDue()).toBe(noon + 1);
      expect(await store.runDue(run)).toHaveLength(2);
    });

    test("are either sent or canceled if both happen at the same time", async () => {
      const store = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
      await store.accept(taking(ids.map((id) => scheduledMessage(id, noon + 1))));
      const { run } = runUntil(noon + 1);
      const cancelOne = (id: string) => cancel(store, "acc_one", id);
      const canceling = ids.slice(0, 10).map(cancelOne);
      const running = store.runDue(run);
      const canceled = await Promise.all([...canceling, ...ids.slice(10).map(cancelOne)]);
      await running;
      await store.runDue(run);
      for (const [index, id] of ids.entries())
        expect(await store.message("acc_one", id)).toMatchObject(
          canceled[index] === true ? { status: "canceled", sentAt: null, dueAt: null } : { status: "sent" },
        );
      expect(await store.used("acc_one", noon)).toBe(
        20 + canceled.filter((isCanceled) => !isCanceled).length,
      );
    });

    test("are never processed by two runs at the same time", async () => {
      const store = await open();
      const messages = Array.from({ length: 40 }, (_, index) => scheduledMessage(`m${index}`, noon + index));
      await store.accept(taking(messages));
      const { run } = runUntil(noon + 100, 20);
      const runs = await Promise.all([1, 2, 3].map(() => store.runDue(run)));
      const rest = await store.runDue(run);
      const ids = [...runs.flat(), ...rest].map(({ message }) => message.id);
      expect(ids.toSorted()).toEqual(messages.map(({ id }) => id).toSorted());
    });
  });
}
