import { afterAll, describe } from "vitest";
import { contractTests } from "../../contract/vitest.ts";
import { startTarget } from "../../scripts/contract/targets.ts";

const sandbox = await startTarget("sandbox", { profile: "core" });
const mock = await startTarget("mock");
// Registered first, so that it runs last: the contract tests put the server back before.
afterAll(async () => {
  await sandbox.close();
  await mock.close();
});

describe("the sandbox", async () => {
  await contractTests({ settings: sandbox.settings });
});

describe("the mock", async () => {
  await contractTests({ settings: mock.settings });
});
