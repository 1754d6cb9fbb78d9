import type { Environment } from "../../contract/config/config.ts";
import { defaultVariable } from "../../contract/config/load.ts";
import { isLoopback } from "../../sandbox/http/hosts.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import sandboxConfig from "../contract/sandbox.config.json" with { type: "json" };
import { keysOfDemo, variablesOf } from "../contract/targets.ts";
import { assertAllowed } from "./network.ts";

/** The sandbox that the tools use. */
export interface UsedSandbox {
  /** Its base URL; default: that of the own one. */
  url?: string;
  /** The one that this process has started. */
  own?: Promise<Sandbox>;
}

/** The variables with API keys. Settings of an agent can name no others, which may have other secrets of the user. */
export const environment: Environment = Object.fromEntries(
  Object.entries(process.env).filter(([name, value]) => name.startsWith("CONTRACT_") && value),
);

/**
 * The variables with the keys of a server, and its settings. Without a key in the environment, a server on this machine must have the accounts
 * of the sandbox.
 */
export async function accountsOf(
  baseUrl: string,
  used: UsedSandbox,
): Promise<{ env: Environment; settings: { without?: string[] } }> {
  assertAllowed(baseUrl);
  const { host = "", hostname = "" } = URL.parse(baseUrl) ?? {};
  const own = URL.parse((await used.own)?.url ?? "")?.host;
  const isOwn = own === host.replace("localhost", "127.0.0.1");
  const hasKey = defaultVariable("full", environment) in environment;
  if (!isOwn && (hasKey || !isLoopback(hostname))) return { env: environment, settings: {} };
  const { hooks: _, ...fixtures } = sandboxConfig;
  const env: Environment = { ...environment, ...variablesOf(keysOfDemo()) };
  return { env, settings: isOwn ? sandboxConfig : fixtures };
}
