import type {
  Deadlines,
  Fixtures,
  HookName,
  HookRequest,
  Hooks,
  Omissible,
  Profile,
  Role,
} from "../engine/settings.ts";

/** A hook that is an HTTP call. A value of a header may be the name of the environment variable that holds it. */
export interface ConfiguredHookRequest extends Omit<HookRequest, "headers"> {
  headers?: Record<string, string | { env: string }>;
}

/** What a configuration of the contract suite says; `contract.schema.json` describes each part of it. */
export interface ContractConfig extends Fixtures {
  $schema?: string;
  baseUrl?: string;
  profile?: Profile;
  without?: Omissible[];
  /** The name of the environment variable that holds the key, by role: never the key itself. */
  keys?: Partial<Record<Role, string>>;
  deadlines?: Partial<Deadlines>;
  hooks?: { [Name in HookName]?: Hooks[Name] | ConfiguredHookRequest };
  /** The path, from the file of the configuration, of the list of expected failures. */
  expectedFailures?: string;
}

/** Gives a configuration in a TypeScript or JavaScript module its type: `export default defineContract({ ... })`. */
export const defineContract = (config: ContractConfig): ContractConfig => config;
