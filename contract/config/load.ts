import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import schema from "../../contract/config/contract.schema.json" with { type: "json" };
import { type Problem, schemaProblems } from "../../lib/schema-errors.ts";
import { UserError } from "../../lib/user-error.ts";
import {
  defaultDeadlines,
  type HookName,
  hookNames,
  type Omissible,
  type Profile,
  type Role,
  type Settings,
} from "../engine/settings.ts";
import { withAttachmentServer } from "../mail/attachment-server.ts";
import type { ConfiguredHookRequest, ContractConfig } from "./config.ts";
import { resolveHooks } from "./hooks.ts";
import { type Environment, resolveKeys, variablesOf } from "./keys.ts";
import { readSource, rejectSource, type Source } from "./source.ts";

/** The configurations that are used if no file is given. */
export const defaultFiles: readonly string[] = ["ts", "mts", "js", "mjs", "yaml", "yml", "json"].map(
  (extension) => `contract.config.${extension}`,
);

export interface LoadOptions {
  /** Default: one of `defaultFiles` in the folder, if there is one. */
  file?: string | undefined;
  /** Overrides the configuration, like the next two. */
  baseUrl?: string | undefined;
  profile?: Profile | undefined;
  without?: readonly Omissible[] | undefined;
  env: Environment;
  /** Default: the working directory. */
  folder?: string | undefined;
}

export interface LoadedSettings extends Settings {
  /** The configuration file, as messages name it. */
  file?: string;
  /** The environment variables of the keys. */
  keyVariables: Partial<Record<Role, string>>;
  /** The absolute path of the list of expected failures. */
  expectedFailures?: string;
}

/**
 * Reads a configuration, and the keys from the environment. Without a file, the options and default variables are all there is.
 * @throws UserError with exit code 2 that lists the problems, without values of the file or the environment
 */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const path = fileOf(options);
  const kind = { example: "contract.config.yaml", isModuleAllowed: true };
  return settingsFrom(path === undefined ? undefined : await readSource(path, kind), path, options);
}

/**
 * The settings of a configuration.
 * @throws UserError as `loadSettings` does
 */
export function settingsFrom(
  source: Source | undefined,
  path: string | undefined,
  options: LoadOptions,
): LoadedSettings {
  const { config, functions } = separateFunctions(source);
  rejectSource(schemaProblems(schema, config, { hideValues: true }), source, hint);
  const baseUrl = resolveBaseUrl(options.baseUrl, config.baseUrl, source);
  const { keys, problems: ofKeys } = resolveKeys(config.keys ?? {}, options.env);
  const requests = config.hooks as Partial<Record<HookName, ConfiguredHookRequest>> | undefined;
  const { hooks, secrets, problems: ofHooks } = resolveHooks(requests ?? {}, baseUrl, options.env);
  rejectSource([...ofKeys, ...ofHooks, ...contradictions(config)], source, hint);
  const { $schema: _, expectedFailures, deadlines, profile, without, ...rest } = config;
  const { baseUrl: _url, keys: _keys, hooks: _hooks, ...fixtures } = rest;
  const runId = newRunId();
  return {
    baseUrl,
    profile: options.profile ?? profile ?? "core",
    runId,
    keys,
    keyVariables: variablesOf(keys, config.keys ?? {}, options.env),
    fixtures: withAttachmentServer(fixtures, runId),
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
  "`email-api-contract contract init` writes a configuration with comments; contract.schema.json describes all settings.";

/** Part of the names of everything a run creates. */
export const newRunId = (): string =>
  Array.from({ length: 10 }, () => "0123456789abcdefghijklmnopqrstuvwxyz"[randomInt(36)]).join("");

function fileOf({ file, folder = process.cwd() }: LoadOptions): string | undefined {
  if (file !== undefined) return resolve(folder, file);
  const found = defaultFiles.filter((name) => existsSync(join(folder, name)));
  if (found.length > 1)
    throw new UserError(`there are several configurations: ${found.join(", ")}`, {
      hint: "Give one with --config, or remove the others.",
      exitCode: 2,
    });
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

/**
 * The base URL without a slash at the end: the option, or that of the configuration.
 * @throws UserError with exit code 2 that does not quote the URL, since it may contain a password
 */
function resolveBaseUrl(
  option: string | undefined,
  configured: string | undefined,
  source: Source | undefined,
): string {
  const text = option ?? configured;
  if (text === undefined)
    throw new UserError("the base URL of the server is missing", {
      hint: "Give --base-url URL, or write `baseUrl: URL` into the configuration.",
      exitCode: 2,
    });
  const message = baseUrlProblem(text);
  if (message === undefined) return new URL(text).href.replace(/\/+$/, "");
  const example = "Use a URL such as https://staging.example.com, without /api/v1 and without keys.";
  if (option === undefined) rejectSource([{ path: ["baseUrl"], message }], source, example);
  throw new UserError(`--base-url ${message}`, { hint: example, exitCode: 2 });
}

function baseUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be an http or https URL";
  if (url.username !== "" || url.password !== "") return "must not contain a user or a password";
  if (/[?#]/.test(text)) return "must not have a query or a fragment";
  if (/\/api\/v1\/?$/.test(url.pathname)) return "must not end with /api/v1, which every path starts with";
  return undefined;
}

/** The configuration as data, and the names of the hooks that are functions, which only a module can have. */
function separateFunctions(source: Source | undefined): { config: ContractConfig; functions: HookName[] } {
  const config = (source?.value ?? {}) as ContractConfig;
  if (source?.isModule !== true || typeof config.hooks !== "object" || config.hooks === null)
    return { config, functions: [] };
  const functions = hookNames.filter((name) => typeof config.hooks?.[name] === "function");
  const requests = Object.entries(config.hooks).filter(([name]) => !(functions as string[]).includes(name));
  return { config: { ...config, hooks: Object.fromEntries(requests) }, functions };
}

/** Problems that the schema cannot express. */
function contradictions(config: ContractConfig): Problem[] {
  const { lists = {}, domains = {}, mailbox, attachmentServer } = config;
  const own = Object.entries(lists).filter(([name]) => name !== "otherAccount");
  const ofLists = own.flatMap(([name, id], index) => {
    const [twin] = own.slice(0, index).find(([, other]) => other === id) ?? [];
    const message = `must differ from lists.${twin}`;
    return twin === undefined ? [] : [{ path: ["lists", name], message }];
  });
  const ofDomains = (["unfinished", "stopped"] as const)
    .filter((state) => domains[state] !== undefined && domains[state] === domains.verified)
    .map((state) => ({ path: ["domains", state], message: "must differ from domains.verified" }));
  const isOne = mailbox === undefined || (mailbox.smtp === undefined) !== (mailbox.mailpit === undefined);
  const ofMailbox = isOne ? [] : [{ path: ["mailbox"], message: "must have either smtp or mailpit" }];
  const ofAttachment = (["attachmentLink", "attachmentHash"] as const)
    .filter((name) => attachmentServer !== undefined && config[name] !== undefined)
    .map((name) => ({ path: [name], message: "must not be set with attachmentServer" }));
  return [...ofLists, ...ofDomains, ...ofMailbox, ...ofAttachment];
}
