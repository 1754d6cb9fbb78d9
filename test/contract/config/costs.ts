import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Fetch } from "../engine/http.ts";
import type { Role, Settings } from "../engine/settings.ts";
import { missingOf } from "../engine/try.ts";
import { nameOf, type Plan, type PlannedTrial } from "../plan.ts";
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
    const { ids, law, tags } = first.check;
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

const needsOf = ({ check, trial }: PlannedTrial) =>
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

/** Counts what is sent, by law. */
export interface Meter {
  fetch: Fetch;
  costs: Record<string, Cost>;
}

const empty = (): Cost => ({ trials: 0, requests: {}, paced: 0, messages: 0, recipients: 0 });

/**
 * Measures what laws send.
 *
 * @param current the name of the law that a request is made for
 * @param isPaced whether a request with this key counts for the limit of the account that most are made on
 */
export function createMeter(
  fetch: Fetch,
  current: () => string,
  isPaced: (authorization: string | undefined) => boolean,
): Meter {
  const costs: Record<string, Cost> = {};
  return {
    costs,
    fetch: async (url, init) => {
      costs[current()] ??= empty();
      const cost = costs[current()] as Cost;
      const method = init.method ?? "GET";
      const operation = operationAt(method, new URL(url).pathname);
      const name =
        operation === undefined ? "other" : `${operations[operation].method} ${operations[operation].path}`;
      cost.requests[name] = (cost.requests[name] ?? 0) + 1;
      const { authorization } = init.headers as Record<string, string | undefined>;
      if (isPaced(authorization)) cost.paced += 1;
      const answer = await fetch(url, init);
      const isNew = answer.ok && answer.headers.get("idempotent-replayed") !== "true";
      if (isNew && operation !== undefined) countMail(cost, operation, init.body);
      return answer;
    },
  };
}

function countMail(cost: Cost, operation: OperationId, body: unknown): void {
  // What is canceled was sent by the same law, or by one that shares it: the sum is right.
  if (operation === "cancelEmail") {
    cost.messages -= 1;
    cost.recipients -= 1;
  }
  if ((operation !== "sendEmail" && operation !== "sendBatch") || typeof body !== "string") return;
  const given = JSON.parse(body) as Record<string, unknown>;
  const messages = operation === "sendBatch" ? (given.emails as Record<string, unknown>[]) : [given];
  cost.messages += messages.length;
  for (const { to, cc, bcc } of messages) cost.recipients += [to, cc, bcc].flat().filter(Boolean).length;
}

function operationAt(method: string, path: string): OperationId | undefined {
  return (Object.keys(operations) as OperationId[]).find((id) => {
    const row = operations[id];
    const pattern = new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return row.method === method && pattern.test(path);
  });
}

/** The roles whose calls count for the limit of the account of the key `full`. */
export const rolesOfFull: readonly Role[] = [
  "full",
  "second",
  "sendOnly",
  "readOnly",
  "manageOnly",
  "restricted",
  "replaced",
];
