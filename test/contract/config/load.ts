import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../../lib/user-error.ts";
import {
  defaultDeadlines,
  type HookName,
  hookNames,
  type Profile,
  type Role,
  type Settings,
  type Tag,
} from "../engine/settings.ts";
import { serverAddress } from "./address.ts";
import type { ConfiguredHookRequest, ContractConfig } from "./config.ts";
import schema from "./contract.schema.json" with { type: "json" };
import { type Fault, faultsBy, refuse } from "./faults.ts";
import { resolveHooks } from "./hooks.ts";
import { type Environment, resolveKeys, variablesOf } from "./keys.ts";
import { readSource, type Source } from "./source.ts";

/** The names that are looked for in the working directory when no file is given. */
export const defaultFiles: readonly string[] = ["ts", "mts", "js", "mjs", "yaml", "yml", "json"].map(
  (extension) => `contract.config.${extension}`,
);

export interface LoadOptions {
  /** The configuration; one of the usual names in the working directory, where there is one, unless told otherwise. */
  file?: string;
  /** These three come before what the configuration says. */
  baseUrl?: string;
  profile?: Profile;
  without?: readonly Tag[];
  /** Where keys come from: `process.env`. */
  env: Environment;
  /** The working directory, unless told otherwise. */
  folder?: string;
}

/** Settings, and what else a configuration says. */
export interface LoadedSettings extends Settings {
  /** The file they come from, as messages show it. */
  file?: string;
  /** The variables of the environment that its keys come from. */
  keyVariables: Partial<Record<Role, string>>;
  /** The absolute path of the list of expected failures. */
  expectedFailures?: string;
}

/**
 * Reads a configuration and takes the keys it names from the environment. Without a file there is what the options and the usual
 * variables of the environment say.
 *
 * @throws Failure with exit status 2 that says where and what is wrong, and never shows a value of the file or the environment
 */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const path = fileOf(options);
  return settingsFrom(path === undefined ? undefined : await readSource(path), path, options);
}

/**
 * The settings of a configuration that was read, or of none.
 * @throws Failure as `loadSettings` does
 */
export function settingsFrom(
  source: Source | undefined,
  path: string | undefined,
  options: LoadOptions,
): LoadedSettings {
  const { config, functions } = partsOf(source);
  const empty = { name: "The environment", value: {}, isModule: true, place: () => "" };
  const told = source ?? empty;
  refuse(faultsBy(schema, config), told, hint);
  const baseUrl = serverAddress(options.baseUrl, config.baseUrl, told);
  const { keys, faults: ofKeys } = resolveKeys(config.keys ?? {}, options.env);
  const calls = config.hooks as Partial<Record<HookName, ConfiguredHookRequest>> | undefined;
  const { hooks, secrets, faults: ofHooks } = resolveHooks(calls ?? {}, baseUrl, options.env);
  refuse([...ofKeys, ...ofHooks, ...contradictions(config)], told, hint);
  const { $schema: _, expectedFailures, deadlines, profile, without, ...rest } = config;
  const { baseUrl: _url, keys: _keys, hooks: _hooks, ...fixtures } = rest;
  return {
    baseUrl,
    profile: options.profile ?? profile ?? "core",
    runId: newRunId(),
    keys,
    keyVariables: variablesOf(keys, config.keys ?? {}, options.env),
    fixtures,
    deadlines: { ...defaultDeadlines, ...deadlines },
    hooks,
    ...(secrets.length === 0 ? {} : { secrets }),
    ...(functions.length === 0 || path === undefined ? {} : { module: path }),
    without: [...(options.without ?? without ?? [])],
    ...(source === undefined ? {} : { file: source.name }),
    ...(expectedFailures === undefined || path === undefined
      ? {}
      : { expectedFailures: resolve(dirname(path), expectedFailures) }),
  };
}

const hint =
  "`contract init` writes a configuration with a line about each setting; contract.schema.json describes them all.";

/** Tells a run from all others: it is part of the names of everything that the run makes. */
export const newRunId = (): string =>
  Array.from({ length: 10 }, () => "0123456789abcdefghijklmnopqrstuvwxyz"[randomInt(36)]).join("");

function fileOf({ file, folder = process.cwd() }: LoadOptions): string | undefined {
  if (file !== undefined) return resolve(folder, file);
  const found = defaultFiles.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1)
    throw new UserError(`There are several configurations here: ${found.join(", ")}.`, {
      hint: "Give one with --config, or keep one.",
      exitCode: 2,
    });
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

/** The configuration as data, and the names of the hooks that are functions, which only a module can hold. */
function partsOf(source: Source | undefined): { config: ContractConfig; functions: HookName[] } {
  const config = (source?.value ?? {}) as ContractConfig;
  if (source?.isModule !== true || typeof config.hooks !== "object" || config.hooks === null)
    return { config, functions: [] };
  const functions = hookNames.filter((name) => typeof config.hooks?.[name] === "function");
  const calls = Object.entries(config.hooks).filter(([name]) => !(functions as string[]).includes(name));
  return { config: { ...config, hooks: Object.fromEntries(calls) }, functions };
}

/** What no schema can say. */
function contradictions({ lists = {}, domains = {} }: ContractConfig): Fault[] {
  const faults: Fault[] = [];
  const own = Object.entries(lists).filter(([name]) => name !== "otherAccount");
  for (const [index, [name, id]] of own.entries()) {
    const [twin] = own.slice(0, index).find(([, other]) => other === id) ?? [];
    if (twin !== undefined)
      faults.push({
        path: ["lists", name],
        says: `is the same list as lists.${twin}: it must be another one`,
      });
  }
  for (const state of ["unfinished", "stopped"] as const) {
    if (domains[state] !== undefined && domains[state] === domains.verified)
      faults.push({ path: ["domains", state], says: "is domains.verified: it must be another one" });
  }
  return faults;
}
