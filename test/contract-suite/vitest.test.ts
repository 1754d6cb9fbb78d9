import { afterAll } from "vitest";
import { startTarget } from "../../scripts/contract/targets.ts";
import { contractTests } from "../contract/vitest.ts";

const { settings, close } = await startTarget("sandbox");
// Registered first, so that it runs last: the contract tests put the server back before.
afterAll(() => close());
await contractTests({ settings, grep: /^(GEN-1|IDEM-[123]|LIST-1|AUTH-7) / });
