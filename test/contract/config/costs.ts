import type { Settings } from "../engine/settings.ts";
import { missingOf } from "../engine/try.ts";
import { nameOf, type Plan, type PlannedCase } from "../plan.ts";
import measured from "./costs.json" with { type: "json" };

/** What a law sent when it was measured on a sandbox. */
export interface Cost {
  /** In how many trials. */
  trials: number;
  /** The requests by operation; `other` for those that are none. */
  requests: Record<string, number>;
  /** How many of the requests count for the request limit of the account that most are made on. */
  paced: number;
  /** E-mails that were taken, those not counted that were canceled again. */
  messages: number;
  recipients: number;
}

/** By profile and by the name of the law. */
export type Costs = Readonly<Record<"core" | "full", Readonly<Record<string, Cost>>>>;

export const usualCosts: Costs = measured;

/** What a law of a run is going to send. */
export interface Estimate extends Cost {
  ids: readonly string[];
  law: string;
  tags: readonly string[];
  /** Whether it was never measured, so that nothing is known. */
  isUnknown: boolean;
}

/** What a run is going to do. */
export interface Forecast {
  laws: Estimate[];
  /** The laws that do not run, with what is missing for them; those in part that run in some of their cases only. */
  missing: { ids: readonly string[]; law: string; needs: string[]; inPart: boolean }[];
}

/**
 * What the laws of a plan are going to send, from what they sent to a sandbox. Where only some of a law's trials run, it is their part
 * of it.
 */
export function forecast(
  settings: Settings,
  plan: Plan,
  hooks: Parameters<typeof missingOf>[0]["hooks"],
  costs: Costs = usualCosts,
): Forecast {
  const groups = Object.groupBy([...plan.together, ...plan.oneByOne], ({ check }) => nameOf(check));
  const result: Forecast = { laws: [], missing: [] };
  for (const [name, planned = []] of Object.entries(groups)) {
    const [first] = planned;
    if (first === undefined) continue;
    const { ids, title: law, tags } = first.check;
    const lacking = planned.map((one) => missingOf({ settings, hooks }, needsOf(one)));
    const able = lacking.filter((needs) => needs.length === 0).length;
    if (able < planned.length)
      result.missing.push({ ids, law, needs: [...new Set(lacking.flat())], inPart: able > 0 });
    if (able === 0) continue;
    const cost = part(costOf(name, settings, costs), able);
    result.laws.push({
      ids,
      law,
      tags,
      ...cost,
      ...(canSend(settings) ? {} : { messages: 0, recipients: 0 }),
    });
  }
  return result;
}

/** Whether there is a domain to send from, and somebody to send to. */
const canSend = ({ fixtures: { domains, simulatorDomain, recipientDomain } }: Settings): boolean =>
  domains?.verified !== undefined && (simulatorDomain ?? recipientDomain) !== undefined;

const needsOf = ({ check, testCase: trial }: PlannedCase) =>
  ["keys.full", ...check.needs, ...(trial.needs ?? [])] as const;

/** On a server that answers with examples, each trial is one request. */
const ofMock: Cost = { trials: 1, requests: { other: 1 }, paced: 1, messages: 0, recipients: 0 };

function costOf(name: string, { profile }: Settings, costs: Costs): Cost | undefined {
  if (profile === "mock") return ofMock;
  return profile === "core" ? (costs.core[name] ?? costs.full[name]) : (costs.full[name] ?? costs.core[name]);
}

function part(cost: Cost | undefined, trials: number): Cost & { isUnknown: boolean } {
  if (cost === undefined)
    return { trials, requests: {}, paced: 0, messages: 0, recipients: 0, isUnknown: true };
  const share = (count: number): number => (count * trials) / cost.trials;
  return {
    trials,
    requests: Object.fromEntries(Object.entries(cost.requests).map(([name, count]) => [name, share(count)])),
    paced: share(cost.paced),
    messages: share(cost.messages),
    recipients: share(cost.recipients),
    isUnknown: false,
  };
}

/** The sums of several costs, in whole numbers. */
export function sumOf(costs: readonly Cost[]): Omit<Cost, "requests"> & { requests: number } {
  const total = (of: (cost: Cost) => number): number =>
    Math.round(costs.reduce((sum, cost) => sum + of(cost), 0));
  return {
    trials: total(({ trials }) => trials),
    requests: total(({ requests }) => Object.values(requests).reduce((sum, count) => sum + count, 0)),
    paced: total(({ paced }) => paced),
    messages: total(({ messages }) => messages),
    recipients: total(({ recipients }) => recipients),
  };
}

/** How long a run takes at least, in minutes, by the request limit of the account: calls come at once until it is reached. */
export const minutesOf = (paced: number, limit: number): number => Math.floor(Math.max(0, paced - 1) / limit);
