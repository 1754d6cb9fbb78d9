import type { ContractResult } from "../../contract/report/result.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { startTarget } from "../../scripts/contract/targets.ts";

/** The result of a run on the sandbox and its mail. */
export async function sandboxResult(): Promise<ContractResult> {
  const { settings, mailbox, close } = await startTarget("sandbox", { hasMail: true });
  return runContract({ settings, mailbox }).finally(close);
}
