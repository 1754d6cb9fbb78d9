import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { count } from "../../lib/count.ts";
import { UserError } from "../../lib/user-error.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { discover, withDiscovery } from "../../test/contract/config/discover.ts";
import { variableOf } from "../../test/contract/config/keys.ts";
import { defaultFiles, settingsFrom } from "../../test/contract/config/load.ts";
import type { Settings } from "../../test/contract/engine/settings.ts";
import { planOf, requirementsOf, unverifiable } from "../../test/contract/plan.ts";
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
 * @throws UserError with exit code 2 if the file exists, or the server does not respond or rejects the key
 */
export async function runInit(options: InitOptions = {}): Promise<number> {
  const { output = "contract.config.yaml", env = process.env, folder = process.cwd() } = options;
  const { print = console.log, baseUrl, profile, fetch, onWait = (wait) => printWait(wait) } = options;
  const file = resolve(folder, output);
  if (options.force !== true) assertNew(file, folder, output);
  const given = settingsFrom(undefined, undefined, { env, baseUrl, profile });
  const found = await discover(given, { onWait, ...(fetch && { fetch }) });
  const settings = withDiscovery(given, found);
  await writeFile(file, templateOf(settings, found, env), { flag: options.force === true ? "w" : "wx" });
  const { lists, fields } = found.every;
  const { keys } = settings;
  const more = Object.keys(keys).length - (keys.full === undefined ? 0 : 1);
  const summary =
    keys.full === undefined
      ? `Nothing was read from the server: ${variableOf("full")} is not set.`
      : `The server has ${count(lists.length, "newsletter list")} and ${count(fields.length, "custom field")}.`;
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

function assertNew(file: string, folder: string, output: string): void {
  if (existsSync(file))
    throw new UserError(`${output} already exists`, {
      hint: "Use --force to overwrite it, or --output to write another file.",
      exitCode: 2,
    });
  const other = defaultFiles.find((name) => existsSync(join(folder, name)));
  if (defaultFiles.includes(output) && other !== undefined)
    throw new UserError(`there already is a configuration: ${other}`, {
      hint: "Keep it, or use --output to write one with another name.",
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
