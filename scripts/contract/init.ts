import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { discover, missingKey, withDiscovery } from "../../contract/config/discover.ts";
import { defaultFiles, settingsFrom } from "../../contract/config/load.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { planOf, requirementsOf, unverifiable } from "../../contract/plan.ts";
import { count, wrapped } from "../../lib/text.ts";
import { UserError } from "../../lib/user-error.ts";
import { templateOf } from "./init/template.ts";
import type { SetUpOptions } from "./option-values.ts";
import { printWait } from "./progress.ts";

export interface InitOptions extends SetUpOptions {
  /** Default: `contract.config.yaml`. */
  output?: string;
  /** Whether to overwrite an existing file. */
  force?: boolean;
}

/**
 * The command `contract init`: reads lists and custom fields from the server, in three requests, and writes a configuration with
 * comments.
 *
 * @returns the exit code, 0
 * @throws UserError with exit code 2 if there is a configuration, the server does not respond or is not one of this API, or the key is
 * missing or rejected
 */
export async function runInit(options: InitOptions = {}): Promise<number> {
  const { output = "contract.config.yaml", env = process.env, folder = process.cwd() } = options;
  const { print = console.log, baseUrl, profile, fetch, onWait = (wait) => printWait(wait) } = options;
  const file = resolve(folder, output);
  assertNew(folder, output, options.force === true);
  const given = settingsFrom(undefined, undefined, { env, baseUrl, profile });
  const keyVariable = given.keyVariables.full;
  const found = await discover(given, { onWait, keyVariable, ...(fetch && { fetch }) });
  if (keyVariable === undefined) throw missingKey();
  const settings = withDiscovery(given, found);
  await writeFile(file, templateOf(settings, found, env), { flag: options.force === true ? "w" : "wx" });
  const { lists, fields } = found.every;
  const more = Object.keys(settings.keys).length - 1;
  const summary = `The server has ${count(lists.length, "newsletter list")} and ${count(fields.length, "custom field")}.`;
  const rejections = Object.entries(found.rejections).map(
    ([operation, what]) => ` ${operation} was rejected with ${what}.`,
  );
  print(
    [
      `Written: ${output}`,
      wrapped(
        `${summary}${rejections.join("")}${more > 0 ? ` The environment has ${count(more, "other key")}.` : ""}`,
      ),
      wrapped(coverage(settings)),
      wrapped("Next: add the fixtures of your server, then run `email-api-contract contract doctor`."),
    ].join("\n"),
  );
  return 0;
}

/** @throws UserError with exit code 2 if there is a configuration, which only `--force` replaces, and only one of the same name */
function assertNew(folder: string, output: string, isForced: boolean): void {
  if (!isForced && existsSync(resolve(folder, output)))
    throw new UserError(`${output} already exists`, {
      hint: "It is unchanged. Use --force to replace it, or --output to write another file.",
      exitCode: 2,
    });
  const other = defaultFiles.find((name) => name !== output && existsSync(join(folder, name)));
  if (defaultFiles.includes(output) && other !== undefined)
    throw new UserError(`there already is a configuration: ${other}`, {
      hint: "It is unchanged. Remove it, or use --output to write one with another name.",
      exitCode: 2,
    });
}

/** How much of the profile can be verified; what responses show decides about the rest. */
function coverage(settings: Settings): string {
  const plan = planOf(settings);
  const all = requirementsOf(settings, plan);
  const missing = unverifiable({ settings, hooks: {} }, plan);
  return `With this configuration, a run of the profile ${settings.profile} can verify up to ${all.size - missing.size} of ${all.size} requirements.`;
}
