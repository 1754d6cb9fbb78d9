import { missingNeeds, needsOfCase } from "../../contract/engine/run-case.ts";
import { isInRun, type Settings } from "../../contract/engine/settings.ts";
import { type Plan, planOf } from "../../contract/plan.ts";
import type { Windows } from "../../contract/rate-windows.ts";
import recorded from "../../contract/recorded.json" with { type: "json" };
import { type Grep, nameOf } from "../../contract/selection.ts";
import { coverageOf, requirementsOf } from "../../contract/verifiable.ts";
import { limits } from "../../generated/limits.ts";
import { printLine } from "../../lib/print.ts";
import { count, wrapped } from "../../lib/text.ts";

/**
 * The option `--dry-run`: prints the checks of a run, and what the run takes. Sends nothing itself.
 * @param grep only what it selects
 * @returns the exit code, 0
 */
export function dryRun(settings: Settings, grep?: Grep, { print = printLine } = {}): number {
  const plan = planOf(settings, grep);
  const byCheck = Object.entries(Object.groupBy(plan, ({ check }) => nameOf(check)));
  const lines = byCheck.map(([name, cases = []]) => {
    const lacking = cases.map(({ testCase }) => missingNeeds(settings, needsOfCase(testCase)));
    const able = lacking.filter((needs) => needs.length === 0).length;
    const missing =
      able === cases.length ? "" : `; not configured: ${[...new Set(lacking.flat())].join(", ")}`;
    const number =
      able === cases.length ? count(able, "test case") : `${able} of ${count(cases.length, "test case")}`;
    return wrapped(`${name} (${number}${missing})`, "  ");
  });
  const head = `${settings.baseUrl}, profile ${settings.profile}: a dry run, no check sends anything.`;
  print([wrapped(head), ...lines, "", runEstimate(settings, plan, { grep })].join("\n"));
  return 0;
}

interface EstimateOptions extends Partial<Windows> {
  grep?: Grep | undefined;
}

/**
 * What a run takes and can verify, in lines of at most 80 columns.
 * @param options.limit requests per minute that the account may make
 */
export function runEstimate(settings: Settings, plan: Plan, options: EstimateOptions = {}): string {
  const { profile, fixtures, sequences: { sequences, seconds } = {} } = settings;
  const { grep } = options;
  const share = shareOf(settings, plan, grep);
  const { requests, emails, recipients } = recorded.profiles[profile];
  const about = (number: number, noun: string): string => count(Math.ceil(number * share), noun);
  const { domains, simulatorDomain, recipientDomain } = fixtures;
  const canSend = domains?.verified !== undefined && (simulatorDomain ?? recipientDomain) !== undefined;
  const sends = canSend && ["sendEmail", "sendBatch"].some((one) => isInRun(settings, one)) && emails > 0;
  const mail = sends
    ? `sends about ${about(emails, "message")} to ${about(recipients, "recipient")}, all of them ${recipientsOf(fixtures)}`
    : "sends no messages";
  const { able, all } = coverageOf(settings, plan, grep);
  // With less than everything, a run need not show what only responses do.
  const shown = profile === "model" ? settings : { ...settings, without: [] };
  const more = requirementsOf(shown, plan, grep).size - requirementsOf(settings, plan, grep).size;
  return [
    `${grep === undefined ? "A complete run" : "This part"} of the profile ${profile} makes about ${about(requests, "request")} and ${mail}.`,
    (sequences ?? seconds) === undefined ? "" : "The options --sequences and --seconds change these numbers.",
    fixtures.lists?.doubleOptIn === undefined || profile === "email"
      ? ""
      : `Confirmation emails go to new contacts at ${fixtures.contactDomain ?? "example.com"}.`,
    [rateLimitWait(settings, plan, options), ...otherWaits(settings, plan, sends)].join(" ").trim(),
    `It can verify up to ${able} of ${count(all, "requirement")}${more > 0 ? `, and ${more} more that responses show` : ""}.`,
  ]
    .filter((text) => text !== "")
    .map((text) => wrapped(text))
    .join("\n");
}

const recipientsOf = ({ simulatorDomain, recipientDomain, suppressed = [] }: Settings["fixtures"]) =>
  [
    ...[simulatorDomain, recipientDomain].flatMap((domain) => (domain === undefined ? [] : [`at ${domain}`])),
    ...(suppressed.length === 0 ? [] : ["in suppressed"]),
  ].join(" or ");

/** How much of a complete run the selected test cases are. */
const shareOf = (settings: Settings, plan: Plan, grep?: Grep): number => {
  if (grep === undefined && (settings.notImplemented ?? []).length === 0) return 1;
  return plan.length / planOf({ ...settings, notImplemented: [] }).length;
};

/** How long a run waits for the rate limit: requests are sent at once until it is reached, and then once a minute. Empty: not at all. */
export function rateLimitWait(
  settings: Settings,
  plan: Plan,
  { grep, limit: reported, areOpened, failure = "" }: EstimateOptions,
): string {
  // A run that has found no limit waits for none.
  if (areOpened !== undefined && reported === undefined) return failure;
  const limit = reported ?? limits.requestsPerMinute;
  const { profile, hooks, without } = settings;
  const requests = recorded.profiles[profile].limitedRequests * shareOf(settings, plan, grep);
  const minutes = Math.floor((requests - 1) / limit);
  if (minutes <= 0) return failure;
  const ofLimit = `a rate limit of ${count(limit, "request")} per minute`;
  if (areOpened === true)
    return `The server has ${ofLimit}: the run advances the clock by hooks.advanceClock in place of waiting.`;
  const takes = `With ${ofLimit}, it takes at least ${count(minutes, "minute")}`;
  const obstacle =
    hooks.advanceClock === undefined
      ? "hooks.advanceClock is not configured"
      : without.includes("clock") && "the tag clock is left out";
  if (areOpened === undefined)
    return obstacle
      ? `${takes}: ${obstacle}.`
      : `${takes}, unless hooks.advanceClock opens a new window: a run finds out.`;
  const why = obstacle || failure || "hooks.advanceClock does not open a new window";
  const quicker = profile === "core" ? "" : "--profile core, ";
  return `${takes}, because it waits for new windows: ${why}. Quicker: that hook, if it also opens them, a higher limit for the account, ${quicker}or a part with --grep.`;
}

function otherWaits({ hooks, deadlines }: Settings, plan: Plan, sends: boolean): string[] {
  const tags = new Set(plan.flatMap(({ check }) => check.tags));
  return [
    ...(sends ? [`Deliveries may add up to ${count(Math.ceil(deadlines.delivery / 60), "minute")}.`] : []),
    ...(tags.has("slow") && hooks.advanceClock === undefined
      ? ["Checks with the tag slow take some minutes."]
      : []),
    ...(tags.has("burst") ? ["Checks with the tag burst wait a minute for the rate limit."] : []),
  ];
}
