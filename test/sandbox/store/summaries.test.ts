import { describe, expect, test } from "vitest";
import { put } from "../control/test-site.ts";
import { stores } from "./sample.ts";

describe.each(stores)("summaries: $name", ({ open }) => {
  test("a summary is the message without what it says, but for its subject", async () => {
    const store = await open();
    const { content, ...message } = await put(store, { id: "msg_1" });
    expect(await store.summaries({ limit: 9 })).toEqual([{ ...message, subject: content.subject }]);
    const whole = await store.message("bakery", "msg_1");
    expect(whole).toEqual({ ...message, content });
  });

  test("summaries come in pages, the newest first, of all accounts or of one", async () => {
    const store = await open();
    for (const id of ["msg_1", "msg_2", "msg_3"]) await put(store, { id });
    await put(store, { id: "msg_4", accountId: "florist" });
    const idsOf = async (page: Parameters<typeof store.summaries>[0]): Promise<string[]> =>
      (await store.summaries(page)).map(({ id }) => id);
    expect(await idsOf({ limit: 2 })).toEqual(["msg_4", "msg_3"]);
    expect(await idsOf({ limit: 2, before: "msg_3" })).toEqual(["msg_2", "msg_1"]);
    expect(await idsOf({ limit: 9, accountId: "bakery" })).toEqual(["msg_3", "msg_2", "msg_1"]);
  });
});
