import { limits } from "../../../generated/limits.ts";
import { operations } from "../../../generated/operations.ts";
import { wrapped } from "../../../lib/wrap-text.ts";
import type { Hooks, Settings } from "../engine/settings.ts";
import type { Plan } from "../plan.ts";
import { type Forecast, forecast, minutesOf, sumOf } from "./costs.ts";

/** A number of things in words: `1,048 requests`. */
export const counted = (count: number, noun: string): string =>
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
