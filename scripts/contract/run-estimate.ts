import { missingNeeds, needsOfCase } from "../../contract/engine/run-case.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import {
  nameOf,
  type Plan,
  plannedCases,
  planOf,
  requirementsOf,
  unverifiable,
} from "../../contract/plan.ts";
import recorded from "../../contract/recorded.json" with { type: "json" };
import { limits } from "../../generated/limits.ts";
import { printLine } from "../../lib/print.ts";
import { count, wrapped } from "../../lib/text.ts";

/**
 * The option `--dry-run`: prints the checks of a run, and what the run takes. Sends nothing.
 * @param grep only checks whose ids and title it matches
 * @returns the exit code, 0
 */
export function dryRun(
  settings: Settings,
  grep?: RegExp,
  { print = printLine }: { print?: (text: string) => void } = {},
): number {
  const plan = planOf(settings, grep);
  const byCheck = Object.entries(Object.groupBy(plannedCases(plan), ({ check }) => nameOf(check)));
  const lines = byCheck.map(([name, cases = []]) => {
    const lacking = cases.map(({ check, testCase }) => missingNeeds(settings, needsOfCase(check, testCase)));
    const able = lacking.filter((needs) => needs.length === 0).length;
    const missing =
      able === cases.length ? "" : `; not configured: ${[...new Set(lacking.flat())].join(", ")}`;
    const number =
      able === cases.length ? count(able, "test case") : `${able} of ${count(cases.length, "test case")}`;
    return wrapped(`${name} (${number}${missing})`, "  ");
  });
  const head = `${settings.baseUrl}, profile ${settings.profile}: a dry run, nothing is sent.`;
  print([wrapped(head), ...lines, "", runEstimate(settings, plan, { grep })].join("\n"));
  return 0;
}

/**
 * What a run takes and can verify, in lines of at most 80 columns.
 * @param limit requests per minute that the account may make
 */
export function runEstimate(
  settings: Settings,
  plan: Plan,
  { grep, limit = limits.requestsPerMinute }: { grep?: RegExp | undefined; limit?: number | undefined } = {},
): string {
  const { profile, fixtures, sequences: { sequences, seconds } = {} } = settings;
  const { requests, emails, recipients } = recorded.profiles[profile];
  const sends = canSend(settings) && emails > 0;
  const mail = sends
    ? `sends about ${count(emails, "message")} to ${count(recipients, "recipient")}, all of them ${recipientsOf(settings)}`
    : "sends no messages";
  const { sequences: _, ...usual } = settings;
  const all = requirementsOf(usual, plan, grep);
  const missing = [...unverifiable(settings, plan).keys()].filter((id) => all.has(id)).length;
  return [
    `A complete run of the profile ${profile} makes about ${count(requests, "request")} and ${mail}.`,
    ...(sequences === undefined && seconds === undefined
      ? []
      : ["The options --sequences and --seconds change these numbers."]),
    ...(fixtures.lists?.doubleOptIn !== undefined && profile !== "email"
      ? [`Confirmation emails go to new contacts at ${fixtures.contactDomain ?? "example.com"}.`]
      : []),
    waits(settings, plan, sends, limit).join(" "),
    `It can verify up to ${all.size - missing} of ${count(all.size, "requirement")}.`,
  ]
    .filter((text) => text !== "")
    .map((text) => wrapped(text))
    .join("\n");
}

const canSend = ({ fixtures: { domains, simulatorDomain, recipientDomain } }: Settings): boolean =>
  domains?.verified !== undefined && (simulatorDomain ?? recipientDomain) !== undefined;

const recipientsOf = ({
  fixtures: { simulatorDomain, recipientDomain, suppressed = [] },
}: Settings): string =>
  [
    ...[simulatorDomain, recipientDomain].flatMap((domain) => (domain === undefined ? [] : [`at ${domain}`])),
    ...(suppressed.length === 0 ? [] : ["in suppressed"]),
  ].join(" or ");

function waits(settings: Settings, plan: Plan, sends: boolean, limit: number): string[] {
  const { hooks, deadlines, profile } = settings;
  const tags = new Set(plannedCases(plan).flatMap(({ check }) => check.tags));
  // Requests are sent at once until the limit is reached, and then once a minute.
  const minutes = Math.floor((recorded.profiles[profile].limitedRequests - 1) / limit);
  return [
    ...(minutes > 0
      ? [
          `With a rate limit of ${count(limit, "request")} per minute, it takes at least ${count(minutes, "minute")}.`,
        ]
      : []),
    ...(sends ? [`Deliveries may add up to ${count(Math.ceil(deadlines.delivery / 60), "minute")}.`] : []),
    ...(tags.has("slow") && hooks.advanceClock === undefined
      ? ["Checks with the tag slow take some minutes."]
      : []),
    ...(tags.has("burst") ? ["Checks with the tag burst wait a minute for the rate limit."] : []),
  ];
}
