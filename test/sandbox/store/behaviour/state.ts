import { describe, expect, test } from "vitest";
import { stateSetting } from "../../../../sandbox/domain/store.ts";
import {
  day,
  named,
  noon,
  scheduledMessage,
  sentMessage,
  setSetting,
  taking,
  withSettings,
} from "../records.ts";
import type { OpenStore } from "../stores.ts";

const second = 1_000;

export function settingTests(open: OpenStore): void {
  describe("settings", () => {
    test("a change gets the value before, and may delete it", async () => {
      const store = await open();
      const count = () =>
        store.changeSetting("count", (value = "0") => ({ value: `${Number(value) + 1}`, result: value }));
      expect((await Promise.all([count(), count(), count()])).toSorted()).toEqual(["0", "1", "2"]);
      expect(store.setting("count")).toBe("3");
      await store.changeSetting("count", () => ({ result: undefined }));
      expect(store.setting("count")).toBeUndefined();
    });

    test("a change that fails changes nothing", async () => {
      const store = await open();
      await setSetting(store, "colour", "green");
      const failing = store.changeSetting("colour", () => {
        throw new Error("a mistake of the caller");
      });
      await expect(failing).rejects.toThrow("a mistake of the caller");
      expect(store.setting("colour")).toBe("green");
    });

    test("numbers increase and are never given twice", async () => {
      const store = await open();
      const numbers = Array.from({ length: 25_000 }, () => 0);
      for (const index of numbers.keys()) {
        if (index % 50 === 0) await store.readSettings();
        numbers[index] = store.nextSequence();
      }
      expect(new Set(numbers).size).toBe(numbers.length);
      expect([...numbers].sort((a, b) => a - b)).toEqual(numbers);
    });
  });
}

export function rateTests(open: OpenStore): void {
  describe("rate windows", () => {
    test("a full window says when its oldest request was, and slides", async () => {
      const store = await open();
      expect(await store.countRequest("acc_one", noon, 1)).toEqual({ used: 0, oldest: null });
      expect(await store.countRequest("acc_one", noon + 5, 1)).toEqual({ used: 1, oldest: noon });
      expect((await store.countRequest("acc_one", noon + 60 * second - 1, 1)).used).toBe(1);
      expect((await store.countRequest("acc_one", noon + 60 * second, 1)).used).toBe(0);
      expect(await store.countRequest("acc_two", noon + 5, 1)).toEqual({ used: 0, oldest: null });
    });

    test("of many requests at the same moment as many pass as the limit says", async () => {
      const store = await open();
      const windows = await Promise.all(
        Array.from({ length: 50 }, () => store.countRequest("acc_one", noon, 20)),
      );
      const counts = windows.map(({ used }) => used).sort((a, b) => a - b);
      expect(counts).toEqual(Array.from({ length: 50 }, (_, index) => Math.min(index, 20)));
    });
  });
}

export function initialStateTests(open: OpenStore): void {
  describe("the initial state", () => {
    const contact = {
      ...{ accountId: "acc_one", email: "ada@example.org", firstName: "Ada", lastName: null },
      ...{ fields: { city: "Ulm" }, tags: ["vip"], marketingBlocked: false, memberships: [] },
    };
    const state = {
      settings: { colour: "green" },
      contacts: [contact],
      suppressions: [{ accountId: "acc_one", address: "gone@example.org", reason: "hard bounce", at: noon }],
      messages: [scheduledMessage("sched_01SEED", noon + day)],
    };

    test("fills a store that has none, once", async () => {
      const store = await open();
      expect(await store.fill(state)).toBe(true);
      expect(await store.fill(withSettings({ colour: "red" }))).toBe(false);
      expect(store.setting("colour")).toBe("green");
      expect(await store.contact("acc_one", "ada@example.org")).toEqual(contact);
      expect(await store.suppressions("acc_one")).toEqual([
        { address: "gone@example.org", reason: "hard bounce", at: noon },
      ]);
    });

    test("has messages that are found and become due, but are not listed", async () => {
      const store = await open();
      await store.fill(state);
      expect(await store.message("acc_one", "sched_01SEED")).toEqual(
        scheduledMessage("sched_01SEED", noon + day),
      );
      expect(await store.messages({ limit: 9 })).toEqual([]);
      expect(await store.nextDue()).toBe(noon + day);
    });

    test("replaces everything with a reset, and numbers begin again", async () => {
      const store = await open();
      await store.fill(withSettings({ shape: "round" }));
      const number = store.nextSequence();
      const before = store.setting(stateSetting);
      await store.suppress("acc_one", "other@example.org", "bounced", noon);
      await store.countRequest("acc_one", noon, 1);
      await store.accept(taking([sentMessage("msg_1")], named("order-1")));
      await store.reset(state);
      expect(store.setting(stateSetting)).not.toBe(before);
      expect([store.setting("shape"), store.setting("colour")]).toEqual([undefined, "green"]);
      expect(await store.messages({ limit: 9 })).toEqual([]);
      expect(await store.recall(named("order-1"), noon)).toBeUndefined();
      expect((await store.suppressions("acc_one")).map(({ address }) => address)).toEqual([
        "gone@example.org",
      ]);
      expect([await store.used("acc_one", noon), await store.nextDue()]).toEqual([0, noon + day]);
      expect(await store.countRequest("acc_one", noon, 1)).toEqual({ used: 0, oldest: null });
      expect(store.nextSequence()).toBe(number);
      const again = await store.accept(taking([sentMessage("msg_1")], named("order-1")));
      expect(again).toMatchObject({ used: 1 });
    });
  });
}
