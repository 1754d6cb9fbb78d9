import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import type { ClientProfile } from "../../../contract/engine/settings.ts";
import { startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import { falsePositives } from "../../mutants/variants/findings.ts";
import { inProcessDriver } from "../in-process/driver.ts";
import type { ClientVariant } from "./variant.ts";

/** What a run on a correct client found. */
export interface VariantResult {
  title: string;
  /** The number of test cases. */
  cases: number;
  /** Those that a client without parts of errors cannot pass or fail. */
  notVerified: number;
  falsePositives: string[];
}

/** Runs a profile of the suite on a correct client. */
export async function runVariant(
  { title, create }: ClientVariant,
  profile: ClientProfile = "full",
): Promise<VariantResult> {
  const { capabilities, outcomes } = await runClient({
    cases: clientCases(profile),
    startDriver: inProcessDriver(create),
    startService: startSandboxService,
  });
  // A client without retries, keys or timeouts can pass everything.
  const hasAll = capabilities.errors === undefined;
  const verified = outcomes.filter(({ verdict }) => hasAll || verdict !== "not verified");
  return {
    title,
    cases: outcomes.length,
    notVerified: outcomes.length - verified.length,
    falsePositives: falsePositives(verified),
  };
}
