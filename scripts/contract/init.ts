import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { discover, withDiscovery } from "../../test/contract/config/discover.ts";
import { type Environment, variableOf } from "../../test/contract/config/keys.ts";
import { defaultFiles, settingsFrom } from "../../test/contract/config/load.ts";
import type { Fetch } from "../../test/contract/engine/http.ts";
import type { Profile, Settings } from "../../test/contract/engine/settings.ts";
import { planOf, requirementsOf, unverifiable } from "../../test/contract/plan.ts";
import { templateOf } from "./init/template.ts";
import { printWait } from "./progress.ts";

export interface InitOptions {
  /** The server to ask. */
  baseUrl?: string;
  profile?: Profile;
  /** Where to write; `contract.config.yaml` unless told otherwise. */
  output?: string;
  /** Whether to write over a file that is there. */
  force?: boolean;
  /** The environment that keys come from; that of the process unless told otherwise. */
  env?: Environment;
  /** The working directory, unless told otherwise. */
  folder?: string;
  /** The global one unless told otherwise. */
  fetch?: Fetch;
  /** Told how long it waits for the request limit, in milliseconds; says so on standard error unless told otherwise. */
  onWait?: (milliseconds: number) => void;
  /** Takes what is said, in lines of at most 80 columns. */
  print?: (text: string) => void;
}

/**
 * The verb `contract init`: asks a server what there is, which takes three requests that only read, and writes a configuration with
 * comments.
 *
 * @returns the exit status, 0
 * @throws Failure with exit status 2 when the file is there already, or the server does not answer or take the key
 */
export async function runInit(options: InitOptions = {}): Promise<number> {
  const { output = "contract.config.yaml", env = process.env, folder = process.cwd() } = options;
  const { print = console.log, baseUrl, profile, fetch, onWait = (wait) => printWait(wait) } = options;
  const file = resolve(folder, output);
  if (options.force !== true) mustBeNew(file, folder, output);
  const given = settingsFrom(undefined, undefined, {
    env,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(profile !== undefined && { profile }),
  });
  const found = await discover(given, { onWait, ...(fetch && { fetch }) });
  const settings = withDiscovery(given, found);
  await writeFile(file, templateOf(settings, found, env), { flag: options.force === true ? "w" : "wx" });
  const { lists, fields } = found.every;
  const { keys } = settings;
  const more = Object.keys(keys).length - (keys.full === undefined ? 0 : 1);
  const told =
    keys.full === undefined
      ? `The server was not asked: ${variableOf("full")} is not set.`
      : `The server has ${count(lists.length, "newsletter list")} and ${count(fields.length, "custom field")}.`;
  const refusals = Object.entries(found.rejections).map(
    ([operation, what]) => ` ${operation} was refused: ${what}.`,
  );
  print(
    [
      `Written: ${output}`,
      wrapped(`${told}${refusals.join("")} The environment holds ${count(more, "further key")}.`),
      wrapped(coverage(settings)),
      wrapped("Next: set what your server has, then run `email-api-contract contract doctor`."),
    ].join("\n"),
  );
  return 0;
}

const count = (number: number, noun: string): string =>
  `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;

function mustBeNew(file: string, folder: string, output: string): void {
  if (existsSync(file))
    throw new UserError(`${output} is there already.`, {
      hint: "Give --force to write over it, or --output to write another.",
      exitCode: 2,
    });
  const other = defaultFiles.find((name) => existsSync(join(folder, name)));
  if (defaultFiles.includes(output) && other !== undefined)
    throw new UserError(`There is a configuration already: ${other}.`, {
      hint: "Keep it, or give --output to write one under another name.",
      exitCode: 2,
    });
}

/** How much of the profile can be verified with what is configured. */
function coverage(settings: Settings): string {
  const plan = planOf(settings);
  const all = requirementsOf(settings, plan);
  const missing = unverifiable({ settings, hooks: {} }, plan);
  return `With it, a run of the profile ${settings.profile} can verify ${all.size - missing.size} of ${all.size} requirements.`;
}
