import { expect, test, vi } from "vitest";
import { openStores } from "../../../sandbox/store/open.ts";
import { Workspaces } from "../../../sandbox/workspaces/workspaces.ts";

test("while the store fails, an id that cannot exist is still an unknown one", async () => {
  const has = () => Promise.reject(new Error("the store failed"));
  const stores = { ...(await openStores()), has };
  const workspaces = new Workspaces({ stores, seed: { accounts: [] }, openWorld: vi.fn() });
  for (const id of ['"><b>', "$'", "0".repeat(19), "%20".repeat(7)])
    expect(await workspaces.find(id)).toBeUndefined();
  await expect(workspaces.find("0".repeat(20))).rejects.toThrow("the store failed");
});
