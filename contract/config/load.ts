import { randomInt } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type OperationId, operations } from "../../generated/operations.ts";
import { requirements } from "../../generated/requirements.ts";
import type { ConfigHook, ReportExpectedFailure } from "../../generated/schema-types.ts";
import { displayPath, readTextFile } from "../../lib/files.ts";
import { isObject } from "../../lib/objects.ts";
import { assertNoProblems, type Problem, schemaProblems } from "../../lib/schema-errors.ts";
import { urlProblem } from "../../lib/text.ts";
import { type UserError, usageError } from "../../lib/user-error.ts";
import { parseYaml, type YamlSource } from "../../lib/yaml-source.ts";
import {
  defaultDeadlines,
  type HookName,
  type Hooks,
  hookNames,
  type Omissible,
  type Profile,
  type Role,
  roles,
  rolesOfMainAccount,
  type Settings,
} from "../engine/settings.ts";
import { withAttachmentServer } from "../mail/attachment-server.ts";
import { type ContractConfig, type Environment, resolveHooks } from "./config.ts";
import contractSchema from "./contract.schema.json" with { type: "json" };
import expectedSchema from "./expected.schema.json" with { type: "json" };

const moduleExtensions = [".ts", ".mts", ".js", ".mjs"];
const dataExtensions = [".yaml", ".yml", ".json"];

/** The configurations that are used if no file is given. */
export const defaultFiles = [...moduleExtensions, ...dataExtensions].map((one) => `contract.config${one}`);

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
  const source = path === undefined ? undefined : await readSource(path, "contract.config.yaml", true);
  return settingsFrom(source, path, options);
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
  assertValidSource(schemaProblems(contractSchema, config, { hideValues: true }), source, hint);
  const baseUrl = resolveBaseUrl(options.baseUrl, config.baseUrl, source);
  const { keys, keyVariables, problems: ofKeys } = resolveKeys(config.keys ?? {}, options.env);
  const requests = config.hooks as Partial<Record<HookName, ConfigHook>> | undefined;
  const { hooks, secrets, problems: ofHooks } = resolveHooks(requests ?? {}, baseUrl, options.env);
  assertValidSource([...ofKeys, ...ofHooks, ...contradictions(config)], source, hint);
  const { $schema: _, expectedFailures, deadlines, profile, without, notImplemented, ...rest } = config;
  const { baseUrl: _url, keys: _keys, hooks: _hooks, implementation, ...fixtures } = rest;
  const runId = newRunId();
  return {
    baseUrl,
    ...(implementation && { implementation }),
    profile: options.profile ?? profile ?? "core",
    runId,
    keys,
    keyVariables,
    fixtures: withAttachmentServer(fixtures, runId),
    deadlines: { ...defaultDeadlines, ...deadlines },
    hooks: { ...hooks, ...functions },
    ...(secrets.length === 0 ? {} : { secrets }),
    without: [...(options.without ?? without ?? [])],
    ...(notImplemented !== undefined && { notImplemented: notImplemented as OperationId[] }),
    ...(source === undefined ? {} : { file: source.name }),
    ...(expectedFailures && path && { expectedFailures: resolve(dirname(path), expectedFailures) }),
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
    throw usageError(
      `there are several configurations: ${found.join(", ")}`,
      "Give one with --config, or remove the others.",
    );
  return found[0] === undefined ? undefined : join(folder, found[0]);
}

/**
 * The base URL without a slash at the end: the option, or that of the configuration.
 * @throws UserError with exit code 2 that does not quote the URL, since it may contain a password
 */
function resolveBaseUrl(option: string | undefined, configured: string | undefined, source?: Source) {
  const text = option ?? configured;
  if (text === undefined)
    throw usageError(
      "the base URL of the server is missing",
      "Give --base-url URL, or write `baseUrl: URL` into the configuration.",
    );
  const endsLikePaths = /\/api\/v1\/?$/.test(text);
  const message =
    urlProblem(text) ??
    (endsLikePaths ? "must not end with /api/v1, which every path starts with" : undefined);
  if (message === undefined) return new URL(text).href.replace(/\/+$/, "");
  const example = "Use a URL such as https://staging.example.com, without /api/v1 and without keys.";
  if (option === undefined) assertValidSource([{ path: ["baseUrl"], message }], source, example);
  throw usageError(`--base-url ${message}`, example);
}

/** The configuration as data, and the hooks that are functions, which only a module can have. */
function separateFunctions(source: Source | undefined) {
  const config = (source?.value ?? {}) as ContractConfig;
  if (!isObject(config.hooks)) return { config, functions: {} as Partial<Hooks> };
  const isHook = ([name, hook]: [string, unknown]): boolean =>
    typeof hook === "function" && hookNames.some((known) => known === name);
  const { functions = [], requests = [] } = Object.groupBy(Object.entries(config.hooks), (entry) =>
    isHook(entry) ? "functions" : "requests",
  );
  const hooks = Object.fromEntries(requests);
  return { config: { ...config, hooks }, functions: Object.fromEntries(functions) as Partial<Hooks> };
}

/** Problems that the schema cannot express. */
function contradictions(config: ContractConfig): Problem[] {
  const { lists = {}, domains = {}, mailbox, attachmentServer, notImplemented = [] } = config;
  const own = Object.entries(lists).filter(([name]) => name !== "otherAccount");
  const ofLists = own.flatMap(([name, id], index) => {
    const [twin] = own.slice(0, index).find(([, other]) => other === id) ?? [];
    return twin === undefined ? [] : [{ path: ["lists", name], message: `must differ from lists.${twin}` }];
  });
  const ofDomains = (["unfinished", "stopped"] as const)
    .filter((state) => domains[state] !== undefined && domains[state] === domains.verified)
    .map((state) => ({ path: ["domains", state], message: "must differ from domains.verified" }));
  const isOne = mailbox === undefined || (mailbox.smtp === undefined) !== (mailbox.mailpit === undefined);
  const ofMailbox = isOne ? [] : [{ path: ["mailbox"], message: "must have either smtp or mailpit" }];
  const ofAttachment = (["attachmentLink", "attachmentHash"] as const)
    .filter((name) => attachmentServer !== undefined && config[name] !== undefined)
    .map((name) => ({ path: [name], message: "must not be set with attachmentServer" }));
  const ofOperations = unknownOperations(notImplemented, ["notImplemented"]);
  return [...ofLists, ...ofDomains, ...ofMailbox, ...ofAttachment, ...ofOperations];
}

/** The content of a configuration file. A module has no positions. */
interface Source extends Pick<YamlSource, "name"> {
  value: unknown;
  positionOf?: YamlSource["positionOf"];
}

/**
 * Reads a YAML or JSON file, or the default export of a module. No message quotes the content: it may be a key.
 * @param path absolute
 * @param example a name that it could have
 * @throws UserError with exit code 2
 */
async function readSource(path: string, example: string, isModuleAllowed: boolean): Promise<Source> {
  const name = displayPath(path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw usageError(`${name} is a directory`, `Give the path of the file in it, such as ${example}.`);
  const extension = extname(path).toLowerCase();
  if (isModuleAllowed && moduleExtensions.includes(extension)) return readModule(path, name);
  if (!dataExtensions.includes(extension)) {
    const known = [...dataExtensions, ...(isModuleAllowed ? moduleExtensions : [])].join(" ");
    throw usageError(`${name} must have one of the extensions ${known}`, "Rename the file.");
  }
  const hint = `Give the path of a YAML or JSON file${isModuleAllowed ? ", or of a module" : ""}.`;
  const text = readTextFile(path, { maxMegabytes: 4, hint });
  const { value, positionOf } = parseYaml(text, name, { hideContent: true });
  return { name, value, positionOf };
}

/**
 * Rejects a file with problems, without its values.
 * @throws UserError with exit code 2 that lists the problems
 */
const assertValidSource = (problems: readonly Problem[], source: Source | undefined, hint: string): void =>
  assertNoProblems(problems, {
    subject: source?.name ?? "the environment",
    hint,
    hideValues: true,
    ...(source?.positionOf && { source: { name: source.name, positionOf: source.positionOf } }),
  });

async function readModule(path: string, name: string): Promise<Source> {
  if (!existsSync(path))
    throw usageError(`cannot read ${name}: there is no such file`, "Give the path of a configuration.");
  // Another URL after a change: a URL is imported once.
  const url = `${pathToFileURL(path).href}?${Math.floor(statSync(path).mtimeMs)}`;
  const { default: value } = await import(url).catch((error: unknown) => {
    throw importError(error as NodeJS.ErrnoException, path, name);
  });
  if (typeof value !== "object" || value === null)
    throw usageError(
      `${name} must have an object as its default export`,
      "Write `export default defineContract({ ... })`.",
    );
  return { name, value };
}

function importError(error: NodeJS.ErrnoException, path: string, name: string): UserError {
  const { name: kind = "Error", code, stack = "", message } = error;
  const pattern = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const position = new RegExp(`${pattern}(?:\\?\\d+)?:(\\d+(?::\\d+)?)`).exec(stack)?.[1];
  // Other messages may quote a key, such as one without quotes around it.
  const reason = code === "ERR_MODULE_NOT_FOUND" ? `: ${message.split("\n")[0] ?? ""}` : "";
  return usageError(
    `cannot load ${name}${position === undefined ? "" : `:${position}`}: ${kind}${reason}`,
    position !== undefined && isReadAsCommonJs(error)
      ? `The nearest package.json has "type": "commonjs": set "type": "module", or name the file .mts or .mjs.`
      : `Fix the module; \`node ${name}\` prints the whole error.`,
  );
}

/** Whether a module with `import` or `export` was read as CommonJS, as in a folder made by `npm init`. */
const isReadAsCommonJs = (error: unknown): boolean =>
  error instanceof SyntaxError &&
  /import statement outside a module|Unexpected token 'export'/.test(error.message);

/** The default environment variable of a role's key. */
export const variableOf = (role: Role): string =>
  role === "full" ? "CONTRACT_API_KEY" : `CONTRACT_KEY_${role.replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;

/**
 * Reads the keys from the environment. A variable that the configuration names must be set; default ones are optional.
 * @param named the variables that the configuration names
 */
function resolveKeys(named: Partial<Record<Role, string>>, env: Environment) {
  const keys: Partial<Record<Role, string>> = {};
  const keyVariables: typeof keys = {};
  const problems: Problem[] = [];
  for (const role of roles) {
    const variable = named[role] ?? defaultVariable(role, env);
    const key = env[variable] ?? "";
    const subject =
      named[role] === undefined ? `is read from ${variableOf(role)}, which` : "names a variable that";
    const report = (message: string) =>
      problems.push({ path: ["keys", role], message: `${subject} ${message}` });
    if (key === "") {
      if (named[role] !== undefined) report("is not set: set it, or remove the line");
    } else if (!/^[!-~]+$/.test(key)) {
      report("contains characters that a key cannot have, such as spaces, line breaks or non-ASCII");
    } else {
      const twin = roles.find((other) => keys[other] === key && needDifferentKeys(role, other));
      if (twin === undefined) [keys[role], keyVariables[role]] = [key, variable];
      else report(`has the same key as keys.${twin}: they must differ`);
    }
  }
  return { keys, keyVariables, problems };
}

/** The default variable of a role's key; for `full`, `CONTRACT_KEY_FULL` if only that is set. */
export const defaultVariable = (role: Role, env: Environment): string =>
  role === "full" && !env.CONTRACT_API_KEY && env.CONTRACT_KEY_FULL ? "CONTRACT_KEY_FULL" : variableOf(role);

const needDifferentKeys = (one: Role, other: Role): boolean =>
  one === "full" ||
  other === "full" ||
  (rolesOfMainAccount.includes(one) && rolesOfMainAccount.includes(other));

/** An entry of a list of expected failures: a requirement, or an operation or a test case of it. */
export type ExpectedFailure = Omit<ReportExpectedFailure, "state" | "covered">;

const entryHint =
  "Each entry has the id of a requirement, and can have an operation, a case, a reason, an owner and until: `- { id: SEND-9, reason: ... }`.";

/**
 * Reads a list of expected failures from YAML or JSON. No file is an empty list, and so is an empty one.
 * @throws UserError with exit code 2 that lists the problems, such as unknown ids or duplicates
 */
export async function loadExpected(file: string | undefined): Promise<ExpectedFailure[]> {
  if (file === undefined) return [];
  const source = await readSource(resolve(file), "expected-failures.yaml", false);
  const value = source.value ?? [];
  const problems = schemaProblems(expectedSchema, value, { hideValues: true });
  const entries = (Array.isArray(value) ? value : []) as ExpectedFailure[];
  const inOrder = [...problems, ...invalidEntries(entries)].sort(
    ({ path: [one] }, { path: [other] }) => Number(one) - Number(other),
  );
  assertValidSource(inOrder, source, entryHint);
  return entries;
}

/** Problems that the schema cannot express, of values that may not have its types. */
const invalidEntries = (entries: readonly (Partial<ExpectedFailure> | null)[]): Problem[] =>
  entries.flatMap((entry, index): Problem[] => {
    const { id, operation, case: name, at, until } = entry ?? {};
    const path = [index, "id"];
    const others = typeof operation === "string" ? unknownOperations([operation], [index, "operation"]) : [];
    // A day after the end of its month is one of the next.
    if (typeof until === "string" && new Date(until).toJSON()?.startsWith(until) === false)
      others.push({ path: [index, "until"], message: `is not a day of the calendar: ${until}` });
    if (typeof id !== "string") return others;
    if (!Object.hasOwn(requirements, id))
      return [{ path, message: `is not a requirement: ${id}` }, ...others];
    const isDuplicate = entries
      .slice(0, index)
      .some((one) => one?.id === id && one.operation === operation && one.case === name && !at && !one.at);
    return [...(isDuplicate ? [{ path, message: `is a duplicate: ${id}` }] : []), ...others];
  });

const unknownOperations = (names: readonly string[], path: Problem["path"]): Problem[] =>
  names
    .filter((name) => !Object.hasOwn(operations, name))
    .map((name) => ({
      path,
      message: `is not an operation: ${name}; the operations are ${Object.keys(operations).join(", ")}`,
    }));
