import { afterAll } from "vitest";
import { contractTests } from "../../contract/vitest.ts";
import { startTarget } from "../../scripts/contract/targets.ts";

const { settings, close } = await startTarget("sandbox");
// Registered first, so that it runs last: the contract tests put the server back before.
afterAll(() => close());
await contractTests({ settings, grep: /^(GEN-1|IDEM-[123]|LIST-1|AUTH-7) / });
