import { existsSync } from "node:fs";
import { sequenceChecks } from "../../contract/checks/sequences.ts";
import { defaultFiles, type LoadedSettings, loadExpected, loadSettings } from "../../contract/config/load.ts";
import type { Omissible, Profile, SequenceSettings, Settings } from "../../contract/engine/settings.ts";
import { plannedCases, planOf } from "../../contract/plan.ts";
import { readBaseline } from "../../contract/report/json.ts";
import { mustBeWritable } from "../../contract/report/write.ts";
import { usageError } from "../../lib/user-error.ts";
import { runContract } from "./contract.ts";
import { grepPattern, type RunOptions } from "./options.ts";
import { printResult, printWait, progressLine } from "./output.ts";
import { startTarget, type Target, type TargetName } from "./targets.ts";

/** The options of the command `contract`. */
export interface ContractCommandOptions extends RunOptions, SequenceOptions {
  baseUrl?: string;
  /** The configuration file. */
  config?: string;
  /** The server to start and test if no other is given; default: sandbox. */
  target?: TargetName;
  profile?: Profile;
  /** Excludes checks with one of these tags, and those that need one of these settings. */
  without?: Omissible[];
}

/**
 * The command `contract`: tests the server of a configuration or at `baseUrl`, or starts the sandbox or the mock and tests that.
 *
 * @returns the exit code: 0 every requirement passes, 1 one fails or ends in an error, 3 some are not verified
 * @throws UserError with exit code 2 if the options or the configuration are invalid, or no server responds
 */
export async function runContractCommand(options: ContractCommandOptions): Promise<number> {
  const grep = options.grep === undefined ? undefined : grepPattern(options.grep);
  // Checked before the run, whose result would be lost otherwise.
  await mustBeWritable(options);
  const baseline = readBaseline(options.baseline, false);
  const target = await targetOf(options);
  try {
    const settings = withSequences(target.settings, options, grep);
    if (options.dryRun === true) {
      const { dryRun } = await import("./run-estimate.ts");
      return dryRun(settings, grep);
    }
    const list = options.expectedFailures ?? target.expectedFailures;
    const expected = list === undefined ? [] : await loadExpected(list);
    const progress = progressLine(process.stderr);
    const run = await runContract({
      settings,
      mailbox: target.mailbox,
      expected,
      onProgress: progress.done,
      onWait: progress.waiting,
      onPoll: progress.polling,
      ...(grep && { grep }),
      ...(target.keyVariables && { keyVariables: target.keyVariables }),
    }).finally(progress.end);
    return await printResult(run, options, baseline);
  } finally {
    await target.close();
  }
}

/** A server to test, and what its configuration says beside. */
type Tested = Target &
  Pick<LoadedSettings, "expectedFailures"> &
  Partial<Pick<LoadedSettings, "keyVariables">>;

/** The server to test with its settings. */
async function targetOf(options: ContractCommandOptions): Promise<Tested> {
  const { baseUrl, config, target, profile, without } = options;
  if (target !== undefined && (baseUrl !== undefined || config !== undefined)) {
    throw usageError(
      "--target cannot be combined with --base-url or --config",
      "--target starts a server; --base-url and --config test another one.",
    );
  }
  // Without a configuration in the working directory, the sandbox is tested.
  const isConfigured = defaultFiles.some((file) => existsSync(file));
  const isGiven = target !== undefined || baseUrl !== undefined || config !== undefined || isConfigured;
  // There, a forgotten option would pass: the sandbox meets every requirement.
  if (!isGiven && (process.env.CI ?? "") !== "")
    throw usageError(
      "no server is given, and CI is set: a pipeline does not test the sandbox by accident",
      "Give --base-url URL or --config FILE, or --target sandbox.",
    );
  if (target !== undefined || !isGiven) {
    const started = await startTarget(target ?? "sandbox", { profile, hasMail: true });
    return {
      ...started,
      settings: { ...started.settings, without: [...started.settings.without, ...(without ?? [])] },
    };
  }
  const loaded = await loadSettings({ env: process.env, file: config, baseUrl, profile, without });
  const { expectedFailures, keyVariables, file: _, ...settings } = loaded;
  const { withDiscoveredFixtures } = await import("../../contract/config/discover.ts");
  const means = { onWait: (wait: number) => printWait(wait), keyVariable: keyVariables.full };
  return {
    settings: await withKey(await withDiscoveredFixtures(settings, means)),
    close: async () => {},
    keyVariables,
    ...(expectedFailures !== undefined && { expectedFailures }),
  };
}

/**
 * The settings with a key; a mock accepts any.
 * @throws UserError with exit code 2 if there is none
 */
async function withKey(settings: Settings): Promise<Settings> {
  if (settings.keys.full !== undefined) return settings;
  if (settings.profile === "mock") return { ...settings, keys: { full: "contract-suite-key" } };
  const { missingKey } = await import("../../contract/config/discover.ts");
  throw missingKey();
}

/** The options for random sequences of requests. */
type SequenceOptions = Partial<Pick<SequenceSettings, "sequences" | "seconds" | "seed">>;

/**
 * The settings with the options for random sequences.
 * @throws UserError with exit code 2 if there are such options, but the run has no sequences
 */
function withSequences(settings: Settings, options: SequenceOptions, grep?: RegExp): Settings {
  const names = ["sequences", "seconds", "seed"] as const;
  const given = names.flatMap((name) =>
    options[name] === undefined ? [] : [[name, options[name]] as const],
  );
  const [first] = given;
  if (first === undefined) return settings;
  if (plannedCases(planOf(settings, grep)).some(({ check }) => sequenceChecks.includes(check)))
    return { ...settings, sequences: Object.fromEntries(given) };
  const cause = grep === undefined ? `the profile ${settings.profile}` : "--grep";
  throw usageError(
    `--${first[0]} has no effect: with ${cause}, the run has no random sequences`,
    "Use it with --profile model, email, newsletter or full, and without --grep.",
  );
}
