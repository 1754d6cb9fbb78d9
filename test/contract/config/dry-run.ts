import { limits } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { wrapped } from "../../../scripts/text.ts";
import { hooksOf } from "../engine/hooks.ts";
import type { Hooks, Settings } from "../engine/settings.ts";
import { type Plan, planOf } from "../plan.ts";
import { type Estimate, type Forecast, forecast, minutesOf, sumOf } from "./costs.ts";

/**
 * The option `--dry-run`: says for each law what it would send, and what the run would take. Nothing is sent.
 *
 * @param grep only laws whose ids and words it matches
 * @returns the exit status, 0
 */
export async function dryRun(
  settings: Settings,
  grep?: RegExp,
  { print = console.log }: { print?: (text: string) => void } = {},
): Promise<number> {
  const plan = planOf(settings, grep);
  const hooks = await hooksOf(settings);
  const { laws, missing } = forecast(settings, plan, hooks);
  const whole = missing.filter(({ inPart }) => !inPart);
  print(
    [
      wrapped(
        `${settings.baseUrl}, profile ${settings.profile}. Nothing is changed or mailed now; a run would send:`,
      ),
      ...laws.map(lawText),
      ...whole.map(({ ids, law, needs }) =>
        wrapped(`${ids.join(" ")} ${law}: does not run; not configured: ${needs.join(", ")}`, "  "),
      ),
      "",
      prospect(settings, plan, hooks),
    ].join("\n"),
  );
  return 0;
}

function lawText({ ids, law, requests, messages, recipients, isUnknown }: Estimate): string {
  const head = wrapped(`${ids.join(" ")} ${law}`, "  ");
  if (isUnknown) return `${head}\n    never measured`;
  const calls = Object.entries(requests)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => unbroken(`${rounded(count)} ${name}`));
  const mail =
    messages > 0
      ? ` (${counted(rounded(messages), "e-mail")} to ${counted(rounded(recipients), "recipient")})`
      : "";
  // What a law shares with others is counted where it is made first.
  const text = calls.length === 0 ? "nothing but what other laws send" : `${calls.join(", ")}${mail}`;
  return `${head}\n${wrapped(`    ${text}`, "    ").replaceAll("\u00A0", " ")}`;
}

/** With spaces at which no line is broken. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00A0");

/** At least one where there is something at all. */
const rounded = (count: number): number => Math.max(1, Math.round(count));

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** What a run is going to take: requests, e-mails and minutes, in a few lines of at most 80 columns. */
export function prospect(
  settings: Settings,
  plan: Plan,
  hooks: Partial<Hooks>,
  limit: number = limits.requestsPerMinute,
): string {
  const all = forecast(settings, plan, hooks);
  const { requests, paced, messages, recipients } = sumOf(all.laws);
  const minutes = minutesOf(paced, limit);
  const unknown = all.laws.filter(({ isUnknown }) => isUnknown).length;
  const mail =
    messages > 0
      ? `${counted(messages, "e-mail")} to ${counted(recipients, "recipient")}, all of them ${whom(settings)}`
      : "no e-mails";
  const asked =
    settings.fixtures.lists?.doubleOptIn !== undefined &&
    all.laws.some(({ requests }) => addsContacts in requests);
  return [
    `A run takes about ${counted(requests, "request")} and sends ${mail}.`,
    ...(asked
      ? [`Confirmations go to new contacts at ${settings.fixtures.contactDomain ?? "example.com"}.`]
      : []),
    `${timeOf(minutes, paced, limit)} ${waitsOf(all, settings)}`.trim(),
    ...(unknown === 0
      ? []
      : [`What ${counted(unknown, "further law")} ${unknown === 1 ? "sends" : "send"} was never measured.`]),
    verifies(all),
  ]
    .map((text) => wrapped(text))
    .join("\n");
}

/** How costs call the operation that adds contacts. */
const addsContacts = `${operations.upsertContact.method} ${operations.upsertContact.path}`;

const whom = ({ fixtures: { simulatorDomain, recipientDomain, suppressed = [] } }: Settings): string =>
  [
    ...(simulatorDomain === undefined ? [] : [`at ${simulatorDomain}`]),
    ...(recipientDomain === undefined ? [] : [`at ${recipientDomain}`]),
    ...(suppressed.length === 0 ? [] : ["on the list suppressed"]),
  ].join(" or ");

function timeOf(minutes: number, paced: number, limit: number): string {
  const budget = `with ${counted(limit, "request")} a minute for the account`;
  if (minutes === 0)
    return `It need not wait for the request limit (${counted(paced, "request")}, ${budget}).`;
  return `It takes at least ${counted(minutes, "minute")} ${budget}.`;
}

/** What it waits for beside the request limit. */
function waitsOf({ laws }: Forecast, { hooks, deadlines }: Settings): string {
  const isMailed = laws.some(({ messages }) => messages > 0);
  const wait = counted(Math.ceil(deadlines.delivery / 60), "minute");
  const delivery = isMailed ? `Deliveries may take it up to ${wait} more.` : "";
  const slow = laws.some(({ tags }) => tags.includes("slow")) && hooks.advanceClock === undefined;
  const burst = laws.some(({ tags }) => tags.includes("burst"));
  return [
    delivery,
    slow ? "Checks with the tag slow take some minutes." : "",
    burst ? "Those with the tag burst wait a minute for the limit to be free again." : "",
  ]
    .filter((text) => text !== "")
    .join(" ");
}

function verifies({ laws, missing }: Forecast): string {
  const ids = new Set(laws.flatMap((one) => one.ids));
  const lost = new Set(missing.filter(({ inPart }) => !inPart).flatMap((one) => one.ids));
  const unverified = [...lost].filter((id) => !ids.has(id)).length;
  const all = `It has checks of ${counted(ids.size, "requirement")} that can run`;
  return unverified === 0 ? `${all}.` : `${all}; ${unverified} more stay unverified.`;
}
