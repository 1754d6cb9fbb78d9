import { count } from "../../lib/count.ts";
import { plainTable } from "../../lib/table.ts";
import { wrapped } from "../../lib/wrap-text.ts";
import { measureClockOffset } from "../../test/contract/clock-offset.ts";
import { type DiscoverOptions, discover, withDiscovery } from "../../test/contract/config/discover.ts";
import type { Environment } from "../../test/contract/config/keys.ts";
import { loadSettings } from "../../test/contract/config/load.ts";
import { document, headerName } from "../../test/contract/document.ts";
import { hooksOf } from "../../test/contract/engine/hooks.ts";
import type { Fetch } from "../../test/contract/engine/http.ts";
import { Run } from "../../test/contract/engine/run.ts";
import { redactor, secretsOf } from "../../test/contract/engine/secrets.ts";
import type { Profile, Settings, Tag } from "../../test/contract/engine/settings.ts";
import { Tester } from "../../test/contract/engine/tester.ts";
import { planOf } from "../../test/contract/plan.ts";
import type { ProbeContext } from "./doctor/probes.ts";
import { descriptionOf, type Row, rowsOf } from "./doctor/rows.ts";
import { ScheduledProbes } from "./doctor/scheduled-probes.ts";
import { printWait } from "./progress.ts";
import { runEstimate } from "./run-estimate.ts";

export interface DoctorOptions {
  /** The configuration; one of the usual names in the working directory, where there is one, unless told otherwise. */
  config?: string;
  baseUrl?: string;
  profile?: Profile;
  without?: readonly Tag[];
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
 * The verb `contract doctor`: looks at every setting with calls that send no mail, and says what a run is going to take.
 *
 * @returns the exit status: 0, or 2 where a setting is wrong
 * @throws Failure with exit status 2 when the configuration cannot be read, or the server does not answer or take the key
 */
export async function runDoctor(options: DoctorOptions = {}): Promise<number> {
  const { config, env = process.env, folder, print = console.log, fetch, ...given } = options;
  const { baseUrl, profile, without, onWait = (wait) => printWait(wait) } = given;
  const settings = await loadSettings({
    env,
    ...(config !== undefined && { file: config }),
    ...(folder !== undefined && { folder }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(profile !== undefined && { profile }),
    ...(without !== undefined && { without }),
  });
  return diagnose(settings, { print, onWait, ...(fetch && { fetch }) });
}

/** Does the same with settings that are at hand. */
export async function diagnose(
  given: Settings & { file?: string },
  { print, ...means }: DiscoverOptions & { print: (text: string) => void },
): Promise<number> {
  const isMock = given.profile === "mock";
  const asking = isMock ? { ...given, keys: {} } : given;
  const found = await discover(asking, means);
  const settings = withDiscovery(given, found);
  const hooks = await hooksOf(settings);
  const run = new Run({ settings, hooks, ...means });
  const tester = new Tester(run);
  const plan = planOf(settings);
  const trials = new ScheduledProbes(tester);
  if (!isMock) await learnTimeUnsent(tester, trials);
  const look: ProbeContext = { tester, found, scheduled: trials, descriptionOf };
  const strike = redactor(secretsOf(settings));
  // A server that answers with examples has none of it.
  const rows = (isMock ? [] : await rowsOf(look, hooks, plan)).map((row) => ({
    ...row,
    says: strike(row.says),
  }));
  const wrong = rows.filter(({ state }) => state === "wrong").length;
  const missing = rows.some(({ state }) => state === "missing");
  const limit = Number(tester.exchanges.map(({ headers }) => headers[limitHeader]).find(Boolean));
  const from = given.file === undefined ? "" : `, configuration ${given.file}`;
  print(
    [
      wrapped(`${settings.baseUrl}, profile ${settings.profile}${from}`),
      ...(rows.length === 0 ? [] : [tableOf(rows)]),
      ...messagesOf(trials),
      ...clockOf(run),
      runEstimate(settings, plan, hooks, { limit: Number.isInteger(limit) ? limit : undefined }),
      wrong === 0
        ? `Nothing is wrong.${missing ? " What is missing leaves promises unverified, and breaks none." : ""}`
        : wrapped(
            `${wrong} of ${rows.length} settings ${wrong === 1 ? "is" : "are"} wrong: put right what the table says.`,
          ),
    ].join("\n\n"),
  );
  return wrong === 0 ? 0 : 2;
}

const limitHeader = headerName(document, "RateLimitLimit").toLowerCase();

const shownStates: Record<Row["state"], string> = {
  ok: "ok",
  wrong: "WRONG",
  unproven: "ok?",
  missing: "missing",
};

const tableOf = (rows: readonly Row[]): string =>
  plainTable({
    head: ["Setting", "State", "What was found"],
    widths: [27, 8, 43],
    rows: rows.map(({ setting, state, says }) => [setting, shownStates[state], says]),
  });

/** Learns the server's time without a mail: where the answers do not tell it, what can be scheduled does. */
async function learnTimeUnsent(tester: Tester, trials: ScheduledProbes): Promise<void> {
  await measureClockOffset(tester, false);
  if (tester.settings.fixtures.domains?.verified === undefined) return;
  // Whatever goes wrong is said of the domain, in its place.
  await trials.ofDomain("verified").catch(() => {});
}

/** What is said of a clock that an earlier run has moved. */
function clockOf({ offset }: Run): string[] {
  if (offset === 0) return [];
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const apart = minutes < 2 * 1440 ? count(minutes, "minute") : count(Math.round(minutes / 1440), "day");
  return [
    wrapped(
      `The server's clock is about ${apart} ${offset > 0 ? "ahead" : "behind"}: times are given by it, in a run too.`,
    ),
  ];
}

function messagesOf({ canceled, left, sent }: ScheduledProbes): string[] {
  const said =
    canceled === 0
      ? []
      : [
          `To look, ${canceled} message${canceled === 1 ? " was" : "s were"} scheduled for later and canceled at once: none was sent.`,
        ];
  const remaining =
    left.length === 0 ? [] : [`These could not be canceled, and are due in four weeks: ${left.join(", ")}`];
  const early =
    sent.length === 0
      ? []
      : [
          `This was scheduled four weeks ahead, but the answer has no scheduled_at and it could not be canceled: the server most likely sent it at once: ${sent.join(", ")}`,
        ];
  return [...said, ...remaining, ...early].map((text) => wrapped(text));
}
