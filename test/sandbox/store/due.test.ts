import { describe, expect, test } from "vitest";
import type { DueMessage, DueStep } from "../../../sandbox/domain/store.ts";
import { day, hour, noon, scheduledMessage, second, sentMessage, taking } from "./records.ts";
import { stores } from "./sample.ts";

/** Sends what is scheduled and delivers what is sent, two seconds later; notes each step. */
function stepping(): { seen: string[]; step: (message: DueMessage) => DueStep } {
  const seen: string[] = [];
  const step = (message: DueMessage): DueStep => {
    const at = message.dueAt ?? Number.NaN;
    seen.push(`${message.id} ${message.status} ${at - noon}`);
    if (message.status === "sent")
      return { message: { ...message, status: "delivered", deliveredAt: at, dueAt: null } };
    return {
      message: { ...message, status: "sent", sentAt: at, dueAt: at + 2 * second },
      counted: { recipients: message.to.length, at },
    };
  };
  return { seen, step };
}

describe.each(stores)("due messages: $name", ({ open }) => {
  test("nothing before its time, the earliest first, each step at its turn", async () => {
    const store = await open();
    await store.accept(
      taking([
        scheduledMessage("b", noon + 2),
        scheduledMessage("c", noon + 1_000),
        scheduledMessage("a", noon + 1),
      ]),
    );
    const { seen, step } = stepping();
    expect(await store.runDue({ until: noon, limit: 10, step })).toBe(0);
    expect(await store.runDue({ until: noon + 2_001, limit: 10, step })).toBe(4);
    expect(seen).toEqual(["a scheduled 1", "b scheduled 2", "c scheduled 1000", "a sent 2001"]);
    expect(await store.nextDue()).toBe(noon + 2_002);
    expect(await store.message("acc_one", "a")).toMatchObject({
      status: "delivered",
      deliveredAt: noon + 2_001,
      dueAt: null,
    });
    expect(await store.message("acc_one", "b")).toMatchObject({ status: "sent", sentAt: noon + 2 });
  });

  test.each([1, 2, 3, 7, 100])("the order is the same in slices of %i", async (limit) => {
    const store = await open();
    const times = [5_000, 1_000, 2_500, 1_001, 3_000, 3_000, 900, 20_000];
    await store.accept(taking(times.map((time, index) => scheduledMessage(`m${index}`, noon + time))));
    const { seen, step } = stepping();
    let total = 0;
    for (let steps = limit; steps === limit; total += steps)
      steps = await store.runDue({ until: noon + hour, limit: limit, step });
    expect(total).toBe(16);
    const moments = seen.map((line) => Number(line.split(" ")[2]));
    expect(moments).toEqual([...moments].sort((a, b) => a - b));
    expect(new Set(seen.map((line) => line.split(" ").slice(0, 2).join(" "))).size).toBe(16);
  });

  test("what goes with a step is kept with it: quota in its month, suppressions", async () => {
    const store = await open();
    const june = Date.UTC(2026, 5, 1);
    await store.accept({
      ...taking([scheduledMessage("a", june - 1), scheduledMessage("b", june)]),
      decide: () => ({
        messages: [scheduledMessage("a", june - 1), scheduledMessage("b", june)],
        counted: 0,
        response: { status: 202, body: "" },
      }),
    });
    await store.runDue({
      until: june,
      limit: 10,
      step: (message) => ({
        message: { ...message, status: "sent", dueAt: null },
        counted: { recipients: 3, at: message.dueAt ?? 0 },
        suppress: [{ address: `${message.id}@example.org`, reason: "bounced", at: june }],
      }),
    });
    expect([await store.used("acc_one", june - 1), await store.used("acc_one", june)]).toEqual([3, 3]);
    expect((await store.suppressions("acc_one")).map((entry) => entry.address)).toEqual([
      "a@example.org",
      "b@example.org",
    ]);
  });

  test("a step that fails leaves everything as it was", async () => {
    const store = await open();
    await store.accept(taking([scheduledMessage("a", noon + 1), scheduledMessage("b", noon + 2)]));
    const { step } = stepping();
    const failing = store.runDue({
      until: noon + 2,
      limit: 10,
      step(message) {
        if (message.id === "b") throw new Error("a mistake of the caller");
        return step(message);
      },
    });
    await expect(failing).rejects.toThrow("a mistake of the caller");
    expect(await store.message("acc_one", "a")).toMatchObject({ status: "scheduled" });
    expect(await store.nextDue()).toBe(noon + 1);
  });

  test("of a cancellation and the due time at the same moment, one wins and the other finds nothing to do", async () => {
    const store = await open();
    const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
    await store.accept(taking(ids.map((id) => scheduledMessage(id, noon + 1))));
    const { seen, step } = stepping();
    const run = { until: noon + 1, limit: 100, step };
    const cancel = (id: string) => store.cancel("acc_one", id);
    const canceling = ids.slice(0, 10).map(cancel);
    const running = store.runDue(run);
    const canceled = await Promise.all([...canceling, ...ids.slice(10).map(cancel)]);
    await running;
    // A run leaves alone what is being canceled.
    await store.runDue(run);
    const sent = ids.filter((_, index) => canceled[index] === false);
    expect(seen.toSorted()).toEqual(sent.map((id) => `${id} scheduled 1`).toSorted());
    for (const [index, id] of ids.entries())
      expect(await store.message("acc_one", id)).toMatchObject(
        canceled[index] === true ? { status: "canceled", sentAt: null, dueAt: null } : { status: "sent" },
      );
    expect(await store.reschedule("acc_one", "m0", noon + day)).toBe(false);
  });

  test("two runs at the same moment never have the same message", async () => {
    const store = await open();
    await store.accept(
      taking(Array.from({ length: 40 }, (_, index) => scheduledMessage(`m${index}`, noon + index))),
    );
    const { seen, step } = stepping();
    const steps = await Promise.all(
      [1, 2, 3].map(() => store.runDue({ until: noon + 100, limit: 20, step })),
    );
    expect(steps).toEqual([20, 20, 0]);
    expect(new Set(seen).size).toBe(40);
  });

  test("a rescheduled message is due at its new time only", async () => {
    const store = await open();
    await store.accept(taking([scheduledMessage("a", noon + 1)]));
    await store.reschedule("acc_one", "a", noon + day);
    const { seen, step } = stepping();
    await store.runDue({ until: noon + day - 1, limit: 10, step });
    expect(seen).toEqual([]);
    await store.runDue({ until: noon + day, limit: 10, step });
    expect(seen).toEqual([`a scheduled ${day}`]);
  });

  test("a message that is moved and moved back is due once", async () => {
    const store = await open();
    await store.accept(taking([scheduledMessage("a", noon + 2 * day)]));
    await store.reschedule("acc_one", "a", noon + day);
    await store.reschedule("acc_one", "a", noon + 2 * day);
    const { seen, step } = stepping();
    await store.runDue({ until: noon + 2 * day, limit: 10, step });
    expect(seen).toEqual([`a scheduled ${2 * day}`]);
  });

  test("the listener gets the earliest due time of a commit, after it", async () => {
    const store = await open();
    const heard: number[] = [];
    store.watchDue((dueAt) => heard.push(dueAt - noon));
    const taken = [
      store.accept(taking([scheduledMessage("a", noon + 50)])),
      store.accept(taking([scheduledMessage("b", noon + 20), scheduledMessage("c", noon + 90)])),
    ];
    expect(heard).toEqual([]);
    await Promise.all(taken);
    await store.reschedule("acc_one", "a", noon + 5);
    await store.cancel("acc_one", "b");
    expect(heard).toEqual([20, 5]);
  });

  test("one message is changed by itself, with what goes with it", async () => {
    const store = await open();
    await store.accept(taking([sentMessage("a")]));
    const changed = await store.change("acc_one", "a", (message) => ({
      message: { ...message, status: "bounced", dueAt: null },
      suppress: [{ address: "ada@example.org", reason: "bounced", at: noon }],
    }));
    expect(changed).toMatchObject({ status: "bounced", content: { subject: "Receipt" } });
    expect(await store.message("acc_one", "a")).toEqual(changed);
    expect(await store.suppressions("acc_one")).toHaveLength(1);
    expect(await store.change("acc_one", "a", () => undefined)).toEqual(changed);
    expect(
      await store.change("acc_two", "a", () => {
        throw new Error("not called");
      }),
    ).toBeUndefined();
  });
});
