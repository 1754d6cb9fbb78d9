import {
  Observer,
  type ObserverOptions,
  type Observer as ObserverType,
} from "../contract/observe/observer.ts";
import { type Plan, type PlannedCase, planOf } from "../contract/plan.ts";
import type { ListedMutant } from "../mutants/all-mutants.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import { demoSettings } from "../mutants/rig/demo.ts";

/** What an observer knows beside the traffic. */
export const ways = ["all traffic", "configuration", "nothing"] as const;
export type Way = (typeof ways)[number];

/** `suite`: all checks of the profile full. `plain`: 500 random sequences of the model. */
export type Workload = "suite" | "plain";

/** What observers found in the traffic between a workload and a mutant. */
export interface Kill {
  requirement: string;
  title: string;
  isOfOnePath: boolean;
  /** The ids of the first requirements that failed, by what the observer knew. */
  failed: Record<Way, string[]>;
  exchanges: number;
}

const { keys, fixtures } = demoSettings();
const options: Record<Way, ObserverOptions> = {
  "all traffic": { keys, fixtures, isAllTraffic: true },
  configuration: { keys, fixtures },
  nothing: {},
};

/** Sequences of each kind in the plain workload. */
const sequences = 125;
const settingsOf = {
  suite: { ...demoSettings("full"), sequences: { shorten: false, failures: 1 } },
  plain: {
    ...demoSettings("model"),
    sequences: { sequences, seconds: 100_000, seed: 1, shorten: false, failures: 1000 },
  },
};
const plans = { suite: planOf(settingsOf.suite), plain: planOf(settingsOf.plain) };

/** Very large messages take most of the time. */
const isLarge = ({ check }: PlannedCase): boolean => check.ids.includes("ATT-13");

function plansFor(workload: Workload, requirement: string): Plan[] {
  const { concurrent, sequential } = plans[workload];
  const part = (belongs: (planned: PlannedCase) => boolean): Plan => ({
    concurrent: concurrent.filter(belongs),
    sequential: sequential.filter(belongs),
  });
  const isOwn = ({ check }: PlannedCase): boolean => check.ids.includes(requirement);
  // The checks of the violated requirement first: the run ends when the observers have found something.
  return [part((one) => isOwn(one) && !isLarge(one)), part((one) => !(isOwn(one) || isLarge(one)))];
}

/** Runs a workload against a mutant, until each of the observers of its traffic has found a failure. */
export async function observeMutant(
  { intercept, requirement, title, isOfOnePath }: ListedMutant,
  workload: Workload,
): Promise<Kill> {
  const observers = ways.map((way) => new Observer({ ...options[way], held: 64 }));
  const hasFound = (one: ObserverType): boolean => one.hasFailed;
  let isOver = false;
  await runOnSandbox({
    intercept,
    plans: plansFor(workload, requirement),
    settings: settingsOf[workload],
    onExchange: (exchange) => {
      for (const observer of observers) if (!hasFound(observer)) observer.add(exchange);
      isOver = observers.every(hasFound);
    },
    onOutcome: () => !isOver,
  }).catch(() => {
    // The suite may fail on a mutant in a way of its own; what was observed counts.
  });
  for (const observer of observers) observer.end();
  const failed = ways.map((way, index) => [way, [...(observers[index]?.tally.failed ?? [])]]);
  const exchanges = Math.max(...observers.map((one) => one.exchanges));
  return { requirement, title, isOfOnePath, failed: Object.fromEntries(failed) as Kill["failed"], exchanges };
}
