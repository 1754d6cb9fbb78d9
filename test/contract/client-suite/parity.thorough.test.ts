import { expect, it } from "vitest";
import { clientCases } from "../../../contract/client-suite/run-client.ts";
import { runParity } from "../../../contract/client-suite/run-parity.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { inProcessDriver } from "../../client-mutants/in-process/driver.ts";

it("a client does not differ from itself in any test case, also in those with retries and lost connections", async () => {
  const run = {
    cases: clientCases("full"),
    startDriver: inProcessDriver(),
    startService: startSandboxService,
  };
  const { outcomes } = await runParity(run, inProcessDriver());
  const [outcome] = outcomes;
  const failed = outcome?.responseChecks.filter(({ failures }) => failures.length > 0) ?? [];
  expect(failed.map(({ title, failures: [first] }) => `${title}: ${first?.found}`)).toEqual([]);
  expect(outcome?.requests).toBeGreaterThan(500);
});
