import { expect, test } from "vitest";
import type { Store } from "../../../../sandbox/domain/store.ts";
import { day, named, noon, sentMessage, taking } from "../records.ts";
import { opened, temporaryFolder } from "../sample.ts";

test("younger idempotency keys stay, and the newest response of a key counts, after opening again too", async () => {
  const folder = temporaryFolder();
  const store = opened(folder);
  const younger = { expiresAt: noon + 2 * day };
  await store.accept(taking([sentMessage("a")], named("order-1")));
  await store.accept(taking([sentMessage("b")], named("order-2", younger)));
  await store.accept(taking([sentMessage("c")], named("order-1", younger), noon + day));
  const bodies = async (from: Store) =>
    Promise.all(
      ["order-1", "order-2"].map(async (key) => (await from.recall(named(key), noon + day))?.response.body),
    );
  const both = ['{"ids":["c"]}', '{"ids":["b"]}'];
  expect(await bodies(store)).toEqual(both);
  await store.close();
  const again = opened(folder);
  expect(await bodies(again)).toEqual(both);
  await again.forget(noon + day);
  expect(await bodies(again)).toEqual(both);
});

test("two names with the same digest are told apart", async () => {
  const store = opened(temporaryFolder());
  // Both have the 32-bit FNV-1a digest 1582148253 under an empty scope.
  const [one, other] = [named("costarring", { scope: "" }), named("liquid", { scope: "" })];
  await store.accept(taking([sentMessage("msg_1")], one));
  expect(await store.recall(other, noon)).toBeUndefined();
  const turn = [
    store.accept(taking([sentMessage("msg_2")], other)),
    store.accept(taking([sentMessage("msg_1")])),
  ];
  expect((await Promise.allSettled(turn)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await store.recall(one, noon)).toMatchObject({ fingerprint: "print of costarring" });
  await store.accept(taking([sentMessage("msg_3")], other));
  expect(await store.recall(one, noon)).toMatchObject({ fingerprint: "print of costarring" });
  expect(await store.recall(other, noon)).toMatchObject({ fingerprint: "print of liquid" });
});
