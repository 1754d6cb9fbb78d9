import { existsSync } from "node:fs";
import { sequenceChecks } from "../../contract/checks/sequences.ts";
import { missingKey, withDiscoveredFixtures } from "../../contract/config/discover.ts";
import { defaultFiles, type LoadedSettings, loadExpected, loadSettings } from "../../contract/config/load.ts";
import {
  commonProfiles,
  type Omissible,
  type Profile,
  type SequenceSettings,
  type Settings,
} from "../../contract/engine/settings.ts";
import { isOutside, planOf } from "../../contract/plan.ts";
import { readBaseline } from "../../contract/report/json.ts";
import { assertWritable } from "../../contract/report/write.ts";
import { assertSelected, type Grep, type Term, termsOf } from "../../contract/selection.ts";
import { requirements } from "../../generated/requirements.ts";
import type { RequirementRow } from "../../generated/schema-types.ts";
import { printNotice } from "../../lib/print.ts";
import { wrapped } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { runContract } from "./contract.ts";
import type { RunOptions } from "./options.ts";
import { assertPublishable, printResult, printWait, progressLine, tellingFetch } from "./output.ts";
import { dryRun, rateLimitWait } from "./run-estimate.ts";
import { startTarget, type Target, type TargetName } from "./targets.ts";

export interface ContractCommandOptions extends RunOptions, SequenceOptions {
  baseUrl?: string;
  config?: string;
  /** The server to start and test if no other is given; default: sandbox. */
  target?: TargetName;
  profile?: Profile;
  /** Excludes checks with one of these tags, and those that need one of these settings. */
  without?: Omissible[];
  /** Seconds to wait for a server that does not respond yet. */
  wait?: number;
  /** Runs again when the server has restarted or a key is pressed. */
  watch?: boolean;
}

/**
 * The command `contract`: tests the server of a configuration or at `baseUrl`, or starts the sandbox or the mock and tests that.
 * @returns the exit code: 0 every requirement passes, 1 one fails or ends in an error, 3 some are not verified
 * @throws UserError with exit code 2 if the options or the configuration are invalid, or no server responds
 */
export async function runContractCommand(options: ContractCommandOptions): Promise<number> {
  if (options.watch !== true || options.dryRun === true) return runOnce(options);
  if (isStarted(options))
    throw usageError(
      "--watch needs a server that runs by itself",
      "Give its URL with --base-url, or a configuration.",
    );
  const { watch } = await import("./watch.ts");
  const { baseUrl, config } = options;
  const baseUrlOf = async () => (await loadSettings({ env: process.env, file: config, baseUrl })).baseUrl;
  return watch(() => runOnce(options), baseUrlOf);
}

/** Whether a server is started to test it. Without a configuration in the working directory, the sandbox is. */
const isStarted = ({ target, baseUrl, config }: ContractCommandOptions): boolean =>
  target !== undefined ||
  (baseUrl === undefined && config === undefined && !defaultFiles.some((file) => existsSync(file)));

async function runOnce(options: ContractCommandOptions): Promise<number> {
  const grep = options.grep === undefined ? undefined : termsOf(options.grep);
  // Checked before the run, whose result would be lost otherwise.
  await assertWritable(options);
  const baseline = readBaseline(options.baseline, false);
  const target = await targetOf(options);
  try {
    const settings = withSequences(target.settings, options, grep);
    if (grep !== undefined) assertInProfile(grep, settings);
    if (options.dryRun === true) return dryRun(settings, grep);
    const expected = await loadExpected(options.expectedFailures ?? target.expectedFailures);
    assertPublishable(options, settings, expected, implementationHint);
    const { end, ...means } = progressLine(process.stderr);
    const run = await runContract({
      settings,
      mailbox: target.mailbox,
      expected,
      onStart: (windows) => {
        const text = rateLimitWait(settings, planOf(settings, grep), { grep, ...windows });
        if (text !== "") printNotice(wrapped(text));
      },
      ...means,
      ...(grep && { grep }),
      ...(target.keyVariables && { keyVariables: target.keyVariables }),
    }).finally(end);
    return await printResult(run, options, baseline);
  } finally {
    await target.close();
  }
}

const implementationHint =
  "Write it into the configuration: `implementation: { name: Postbox, version: 2.3.0 }`.";

/** @throws UserError with exit code 2 if a part of --grep selects nothing */
export function assertInProfile(grep: readonly Term[], settings: Settings): void {
  const { notImplemented = [] } = settings;
  const missing = grep.find(({ operations = [] }) => isOutside(operations, notImplemented));
  if (missing !== undefined)
    throw usageError(
      `--grep has ${missing.text}, but that is in notImplemented`,
      "Remove it there to test it.",
    );
  assertSelected(
    grep,
    settings.profile,
    commonProfiles,
    (terms, profile) => planOf({ ...settings, profile }, terms).length,
    (id) => {
      const whole = planOf({ ...settings, notImplemented: [] });
      if (whole.some(({ check }) => check.ids.includes(id))) return "It needs operations of notImplemented.";
      const { kind, excluded } =
        (requirements as Record<string, Pick<RequirementRow, "kind" | "excluded">>)[id] ?? {};
      if (kind === "client")
        return "It is a requirement for clients: `email-api-contract client` verifies it.";
      return excluded ?? "Only other profiles have what shows it.";
    },
  );
}

/** A server to test, and what its configuration says beside. */
async function targetOf(
  options: ContractCommandOptions,
): Promise<Target & Partial<Pick<LoadedSettings, "expectedFailures" | "keyVariables">>> {
  const { baseUrl, config, target, profile, without } = options;
  if (target !== undefined && (baseUrl !== undefined || config !== undefined))
    throw usageError(
      "--target cannot be combined with --base-url or --config",
      "--target starts a server; --base-url and --config test another one.",
    );
  if (isStarted(options)) {
    // There, a forgotten option would pass: the sandbox meets every requirement.
    if (target === undefined && (process.env.CI ?? "") !== "")
      throw usageError(
        "no server is given, and CI is set: a pipeline does not test the sandbox by accident",
        "Give --base-url URL or --config FILE, or --target sandbox.",
      );
    const started = await startTarget(target ?? "sandbox", { profile, hasMail: true });
    started.settings.without.push(...(without ?? []));
    return started;
  }
  const loaded = await loadSettings({ env: process.env, file: config, baseUrl, profile, without });
  const { expectedFailures, keyVariables, file: _, ...settings } = loaded;
  const fetch = tellingFetch(settings.deadlines.response);
  const means = { onWait: printWait, fetch, keyVariable: keyVariables.full, wait: options.wait };
  return {
    settings: withKey(await withDiscoveredFixtures(settings, means)),
    close: async () => {},
    keyVariables,
    ...(expectedFailures !== undefined && { expectedFailures }),
  };
}

/**
 * The settings with a key; a mock accepts any.
 * @throws UserError with exit code 2 if there is none
 */
function withKey(settings: Settings): Settings {
  if (settings.keys.full !== undefined) return settings;
  if (settings.profile !== "mock") throw missingKey();
  return { ...settings, keys: { full: "contract-suite-key" } };
}

type SequenceOptions = Partial<Pick<SequenceSettings, "sequences" | "seconds" | "seed">>;

/**
 * The settings with the options for random sequences.
 * @throws UserError with exit code 2 if there are such options, but the run has no sequences
 */
function withSequences(settings: Settings, options: SequenceOptions, grep?: Grep): Settings {
  const { sequences, seconds, seed } = options;
  const given = Object.entries({ sequences, seconds, seed }).filter(([, value]) => value !== undefined);
  const [first] = given;
  if (first === undefined) return settings;
  if (planOf(settings, grep).some(({ check }) => sequenceChecks.includes(check)))
    return { ...settings, sequences: Object.fromEntries(given) };
  const cause = grep === undefined ? `the profile ${settings.profile}` : "--grep";
  throw usageError(
    `--${first[0]} has no effect: with ${cause}, the run has no random sequences`,
    "Use it with --profile model, email, newsletter or full, and without --grep.",
  );
}
