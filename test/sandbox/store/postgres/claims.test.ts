import { expect, onTestFinished, test } from "vitest";
import type { Store } from "../../../../sandbox/domain/store.ts";
import { openPostgres } from "../../../../sandbox/store/postgres/open.ts";
import { ownStore } from "../../../../sandbox/store/stores.ts";
import { noon, sentMessage, taking } from "../records.ts";
import { newDatabase } from "./cluster.ts";

interface Instance {
  store: Store;
  /** Ends its connections, as if it was killed. */
  end(): Promise<void>;
}

async function start(data: string): Promise<Instance> {
  const stores = await openPostgres(data);
  const store = await stores.open(ownStore);
  const end = async (): Promise<void> => {
    await store.close();
    await stores.close();
  };
  onTestFinished(end);
  return { store, end };
}

/** Claims all messages until then, in milliseconds of the real time. */
const claim = ({ store }: Instance, heldUntil: number) =>
  store.runDue({
    until: noon,
    limit: 99,
    step: (message) => {
      const relay = { state: "claimed" as const, attempts: 0, pending: message.to, rejected: [] };
      const holder = { holder: store.instance ?? "", heldUntil };
      return { message: { ...message, dueAt: noon + 60_000, relay: { ...relay, ...holder } } };
    },
  });

async function twoInstances(ids: string[]): Promise<[Instance, Instance]> {
  const data = await newDatabase();
  const [one, other] = [await start(data), await start(data)];
  await one.store.accept(taking(ids.map((id) => ({ ...sentMessage(id), dueAt: noon }))));
  return [one, other];
}

const keep = ({ store }: Instance, ids: string[]) =>
  store.keepClaims?.({ ids, until: 2_000, lostBefore: 1_500, goneUntil: 500 });

/** How many claims last beyond this time; the others have ended. */
const heldAt = ({ store }: Instance, time: number) => store.releaseClaims(noon + 1_000, time);

test("an instance renews the claims on what it relays, and ends those that it lost", async () => {
  const [one, other] = await twoInstances(["msg_1", "msg_2", "msg_3"]);
  await claim(one, 1_000);
  await keep(one, ["msg_1", "msg_2"]);
  expect(await heldAt(other, 1_999)).toBe(2);
  expect(await other.store.nextDue()).toBe(noon + 1_000);
  expect((await other.store.message("acc_one", "msg_3"))?.relay?.state).toBe("claimed");
});

test("a claim that was just taken is not lost yet", async () => {
  const [one, other] = await twoInstances(["msg_1"]);
  await claim(one, 1_800);
  await keep(one, []);
  expect(await heldAt(other, 1_799)).toBe(1);
});

test("other instances shorten the claims of one that is gone, and of no other", async () => {
  const [one, other] = await twoInstances(["msg_1"]);
  await claim(one, 1_000);
  await keep(other, []);
  expect(await heldAt(other, 999)).toBe(1);
  await one.end();
  await expect
    .poll(async () => {
      await keep(other, []);
      return heldAt(other, 500);
    })
    .toBe(0);
  expect(await other.store.nextDue()).toBe(noon + 1_000);
});
