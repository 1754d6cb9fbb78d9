import { expect, onTestFinished, test, vi } from "vitest";
import { openStores } from "../../../sandbox/store/open.ts";
import { Workspaces } from "../../../sandbox/workspaces/workspaces.ts";
import type { World } from "../../../sandbox/workspaces/worlds.ts";

test("a workspace that is created while an expired one is removed stays open", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const removing = Promise.withResolvers<void>();
  const removed = Promise.withResolvers<void>();
  const remove = (): Promise<void> => {
    removing.resolve();
    return removed.promise;
  };
  const worlds: World[] = [];
  const openWorld = async (): Promise<World> => {
    const gateway = { handle: vi.fn(), bodyLimit: vi.fn() };
    const world = { gateway, stop() {}, close: vi.fn(async () => {}) };
    worlds.push(world);
    return world;
  };
  const stores = { ...(await openStores()), remove };
  const workspaces = new Workspaces({ stores, seed: { accounts: [] }, openWorld });
  await workspaces.create(1_000);
  vi.setSystemTime(Date.now() + 1_000);
  const sweeping = workspaces.sweep();
  await removing.promise;
  const created = await workspaces.create(1_000);
  removed.resolve();
  await sweeping;
  expect(worlds.map(({ close }) => vi.mocked(close).mock.calls.length)).toEqual([1, 0]);
  expect((await workspaces.find(created?.entry.id ?? ""))?.world).toBe(worlds[1]);
});
