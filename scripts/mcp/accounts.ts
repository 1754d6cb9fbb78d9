import type { Environment } from "../../contract/config/config.ts";
import { variableOf } from "../../contract/config/load.ts";
import { roles } from "../../contract/engine/settings.ts";
import { isLoopback } from "../../sandbox/http/hosts.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import sandboxConfig from "../contract/sandbox.config.json" with { type: "json" };
import { keysOfDemo } from "../contract/targets.ts";

/** The sandbox that the tools use. */
export interface UsedSandbox {
  /** Its base URL; undefined before one is started or used. */
  url?: string | undefined;
  /** The one that this process has started. */
  own?: Sandbox;
}

/** The variables with API keys. Settings of an agent can name no others, which may have other secrets of the user. */
export const environment: Environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith("CONTRACT_")),
);

const { hooks, ...fixtures } = sandboxConfig;

/**
 * The variables with the keys of a server, and its settings. Without a key in the environment, a server on this machine is to have the accounts
 * of the sandbox.
 */
export function accountsOf(baseUrl: string, { own }: UsedSandbox): { env: Environment; settings: object } {
  const isOwn = own !== undefined && baseUrl === own.url;
  const isHere = isLoopback(URL.parse(baseUrl)?.hostname ?? "");
  if (!isOwn && (!isHere || environment[variableOf("full")] !== undefined))
    return { env: environment, settings: {} };
  const keys = keysOfDemo();
  const ofDemo = Object.fromEntries(roles.map((role) => [variableOf(role), keys[role]]));
  return { env: { ...environment, ...ofDemo }, settings: { ...fixtures, ...(isOwn && { hooks }) } };
}
