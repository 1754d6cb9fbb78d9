import { existsSync } from "node:fs";
import { UserError } from "../../lib/user-error.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { loadExpected } from "../../test/contract/config/expected.ts";
import { defaultFiles, type LoadedSettings, loadSettings } from "../../test/contract/config/load.ts";
import type { Profile, Settings, Tag } from "../../test/contract/engine/settings.ts";
import { consoleText } from "../../test/contract/report/console.ts";
import { mustBeWritable, type ReportFiles, writeReports } from "../../test/contract/report/write.ts";
import { runContract } from "./contract.ts";
import { grepPattern, reachableBaseUrl } from "./option-values.ts";
import { printWait, progressLine } from "./progress.ts";
import { startTarget, type Target, type TargetName } from "./targets.ts";

/** The options of the verb `contract`. */
export interface ContractCommandOptions extends ReportFiles {
  /** The server to test. */
  baseUrl?: string;
  /** What there is on it. */
  config?: string;
  /** The server to start and test where no other is named; the sandbox unless told otherwise. */
  target?: TargetName;
  profile?: Profile;
  grep?: string;
  /** Checks with one of these tags are not run. */
  without?: Tag[];
  /** A file with the requirements that are known to fail. */
  expectedFailures?: string;
  /** Says what would be sent, and sends nothing. */
  dryRun?: boolean;
}

/**
 * The verb `contract`: tests the server of a configuration or at `baseUrl`, or starts one of the toolkit's own and tests that.
 *
 * @returns the exit status: 0 all promises of the profile hold, 1 one is broken, 3 some are not verified
 * @throws Failure with exit status 2 when the options or the configuration make no sense or no server answers
 */
export async function runContractCommand(options: ContractCommandOptions): Promise<number> {
  const grep = options.grep === undefined ? undefined : grepPattern(options.grep);
  // Before the run: it takes a while, and what it found would be lost.
  await mustBeWritable(options);
  const target = await targetOf(options);
  try {
    const { settings } = target;
    if (options.dryRun === true) {
      const { dryRun } = await import("./dry-run.ts");
      return dryRun(settings, grep);
    }
    const list = options.expectedFailures ?? target.expectedFailures;
    const expected = list === undefined ? [] : (await loadExpected(list)).map(({ id }) => id);
    const progress = progressLine(process.stderr);
    const notices: string[] = [];
    const result = await runContract({
      settings,
      expected,
      onNotice: (text) => notices.push(text),
      onProgress: progress.done,
      onWait: progress.waiting,
      onPoll: progress.polling,
      ...(grep && { grep }),
      ...(target.keyVariables && { keyVariables: target.keyVariables }),
    }).finally(progress.end);
    for (const notice of notices) console.error(wrapped(notice));
    const written = await writeReports(result, options);
    console.log(consoleText(result));
    for (const file of written) console.log(`Written: ${file}`);
    return result.exitCode;
  } finally {
    await target.close();
  }
}

/** A server to test, and what its configuration says beside. */
type Tested = Target &
  Pick<LoadedSettings, "expectedFailures"> &
  Partial<Pick<LoadedSettings, "keyVariables">>;

/** The server to test, with what the suite has to know of it. */
async function targetOf(options: ContractCommandOptions): Promise<Tested> {
  const { baseUrl, config, target, profile, without = [] } = options;
  if (target !== undefined && (baseUrl !== undefined || config !== undefined)) {
    throw new UserError("--target starts a server of its own; --base-url and --config name another.", {
      hint: "Give one or the other.",
      exitCode: 2,
    });
  }
  // A configuration in the working directory speaks for itself; without one there is the sandbox.
  const isConfigured = defaultFiles.some((file) => existsSync(file));
  if (target !== undefined || (baseUrl === undefined && config === undefined && !isConfigured)) {
    const started = await startTarget(target ?? "sandbox", profile);
    return { ...started, settings: { ...started.settings, without } };
  }
  const loaded = await loadSettings({
    env: process.env,
    ...(config !== undefined && { file: config }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(profile !== undefined && { profile }),
    ...(without.length > 0 && { without }),
  });
  const { expectedFailures, keyVariables, file: _, ...rest } = loaded;
  const settings = withKey({ ...rest, baseUrl: await reachableBaseUrl(rest.baseUrl) });
  const { withDiscoveredFixtures } = await import("../../test/contract/config/discover.ts");
  return {
    settings: await withDiscoveredFixtures(settings, { onWait: (wait) => printWait(wait) }),
    close: async () => {},
    keyVariables,
    ...(expectedFailures !== undefined && { expectedFailures }),
  };
}

/**
 * The settings, with a key where any will do, as on a mock.
 * @throws Failure with exit status 2 where there is none
 */
function withKey(settings: Settings): Settings {
  if (settings.keys.full !== undefined) return settings;
  if (settings.profile === "mock") return { ...settings, keys: { full: "contract-suite-key" } };
  throw new UserError("There is no API key to call with.", {
    hint: "Put one with all abilities into the environment as CONTRACT_API_KEY.",
    exitCode: 2,
  });
}
