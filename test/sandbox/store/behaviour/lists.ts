import { describe, expect, test } from "vitest";
import type { MessagePage, Store } from "../../../../sandbox/domain/store.ts";
import { put } from "../../control/test-site.ts";
import type { OpenStore } from "../stores.ts";

export function summaryTests(open: OpenStore): void {
  describe("summaries", () => {
    test("a summary is the message without what it says, but for its subject", async () => {
      const store = await open();
      const { content, ...message } = await put(store, { id: "msg_1" });
      expect(await store.summaries({ limit: 9 })).toEqual([{ ...message, subject: content.subject }]);
      const whole = await store.message("bakery", "msg_1");
      expect(whole).toEqual({ ...message, content });
    });
  });
}

export function searchTests(open: OpenStore): void {
  describe("a search", () => {
    const found = async (store: Store, search: string, more: Partial<MessagePage> = {}): Promise<string[]> =>
      (await store.summaries({ limit: 9, search, ...more })).map(({ id }) => id);

    test.for<[string, string[]]>([
      ["ORDER", ["msg_2", "msg_1"]],
      ["order 7", ["msg_2"]],
      ["zoë", ["msg_3"]],
      ["ZOË", ["msg_3"]],
      ["ada@", ["msg_1"]],
      ["copy@readers", ["msg_2"]],
      ["HIDDEN@", ["msg_3"]],
      ["bakery.example", []],
      ["100%", ["msg_3"]],
      ["_rder", []],
      ["  ", ["msg_3", "msg_2", "msg_1"]],
    ])("%j finds %j, in the subject and in all recipients", async ([search, ids]) => {
      const store = await open();
      const { content } = await put(store, { id: "msg_1", to: ["Ada@readers.example"] });
      const to = ["grace@readers.example"];
      await put(store, {
        ...{ id: "msg_2", to, cc: ["Copy@readers.example"] },
        content: { ...content, subject: "Order 7" },
      });
      await put(store, {
        ...{ id: "msg_3", to, bcc: ["hidden@readers.example"] },
        content: { ...content, subject: "100% for Zoë" },
      });
      expect(await found(store, search)).toEqual(ids);
    });

    test("its results come in pages, of all accounts or of one", async () => {
      const store = await open();
      for (let index = 1; index <= 6; index += 1)
        await put(store, { id: `msg_${index}`, to: [index % 2 === 0 ? "even@a.example" : "odd@a.example"] });
      await put(store, { id: "msg_7", accountId: "florist", to: ["even@a.example"] });
      expect(await found(store, "even", { limit: 2 })).toEqual(["msg_7", "msg_6"]);
      expect(await found(store, "even", { before: "msg_6" })).toEqual(["msg_4", "msg_2"]);
      expect(await found(store, "even", { accountId: "florist" })).toEqual(["msg_7"]);
    });
  });
}
