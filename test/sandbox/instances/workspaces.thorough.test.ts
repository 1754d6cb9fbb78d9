import { expect, test } from "vitest";
import { openPostgres } from "../../../sandbox/store/postgres/open.ts";
import { newDatabase } from "../store/postgres/cluster.ts";
import { createWorkspace, startTwo } from "./instances.ts";

test("the workspace of an instance that is gone is deleted by another one when its lifetime ends", async () => {
  const data = await newDatabase();
  const [one] = await startTwo({ data });
  const id = await createWorkspace(one, { lifetime: "PT1S" });
  await one.sandbox.close();
  const stores = await openPostgres(data);
  expect(await stores.has(`workspace-${id}`)).toBe(true);
  await expect.poll(() => stores.has(`workspace-${id}`), { timeout: 15_000, interval: 200 }).toBe(false);
  await stores.close();
});
