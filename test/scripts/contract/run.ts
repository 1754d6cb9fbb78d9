import type { ContractResult } from "../../../scripts/contract/result.ts";
import { runContract } from "../../../scripts/contract.ts";
import { type ProxyFault, startFaulty } from "./proxy.ts";

/** What the suite finds on a server with a fault. */
export async function runOnFaulty(
  target: string,
  fault: ProxyFault,
  options: { grep?: string; key?: string },
): Promise<ContractResult> {
  const server = await startFaulty(target, fault);
  try {
    return await runContract({ baseUrl: server.url, profile: "mock", ...options });
  } finally {
    server.close();
  }
}
