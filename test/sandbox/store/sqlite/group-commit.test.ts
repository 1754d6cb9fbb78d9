import { expect, test } from "vitest";
import { named, noon, sentMessage, setSetting, taking } from "../records.ts";
import { opened, temporaryFolder } from "../sample.ts";

test("a statement that fails rolls back its whole transaction: all its calls are rejected, and nothing of them stays", async () => {
  const store = opened(temporaryFolder());
  await store.accept(taking([sentMessage("msg_1")]));
  const outcomes = await Promise.allSettled([
    store.accept(taking([sentMessage("msg_2")], named("order-2"))),
    store.suppress("acc_one", "gone@example.org", "bounced", noon),
    setSetting(store, "colour", "green"),
    store.accept(taking([sentMessage("msg_1")])),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(4).fill("rejected"));
  expect((await store.messages({ limit: 10 })).map((message) => message.id)).toEqual(["msg_1"]);
  expect(await store.recall(named("order-2"), noon)).toBeUndefined();
  expect(await store.used("acc_one", noon)).toBe(1);
  expect(await store.suppressions("acc_one")).toEqual([]);
  expect(store.setting("colour")).toBeUndefined();
  const next = await store.accept(taking([sentMessage("msg_2")], named("order-3")));
  expect(next).toMatchObject({ used: 2 });
  expect(await store.recall(named("order-2"), noon)).toBeUndefined();
});

test("what is read in a turn that fails is taken back too", async () => {
  const store = opened(temporaryFolder());
  await store.accept(taking([sentMessage("msg_1")]));
  const taken = store.accept(taking([sentMessage("msg_2")]));
  const read = store.message("acc_one", "msg_2");
  const broken = store.accept(taking([sentMessage("msg_1")]));
  const outcomes = await Promise.allSettled([taken, read, broken]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(3).fill("rejected"));
});
