import type { Service } from "../../contract/client-suite/engine/driver-session.ts";
import { clientCases, runClient } from "../../contract/client-suite/run-client.ts";
import { Observer } from "../../contract/observe/observer.ts";
import type { ObserverOptions } from "../../contract/observe/state.ts";
import type { ObservedExchange } from "../../contract/observe/subjects.ts";
import { type Plan, type PlannedCase, planOf } from "../../contract/plan.ts";
import { serviceOf } from "../../scripts/client-suite/run-command.ts";
import { keysOfDemo } from "../../scripts/contract/targets.ts";
import { openFront, type ServerUnderTest } from "../bench/conformance/front.ts";
import { inProcessDriver } from "../client-mutants/in-process/driver.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { failedIds } from "./samples.ts";

/** What an observer knows beside the traffic. */
export const ways = ["all traffic", "configuration", "nothing"] as const;
type Way = (typeof ways)[number];

/** `suite`: all checks of the profile full. `plain`: 500 random sequences of the model, and the client suite. */
export type Workload = "suite" | "plain";

/** What observers found in the traffic between a workload and a mutant. */
export interface Kill {
  requirement: string;
  title: string;
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
  const plan = plans[workload];
  const isOwn = ({ check }: PlannedCase): boolean => check.ids.includes(requirement);
  // The checks of the violated requirement first: the run ends when the observers have found something.
  return [
    plan.filter((one) => isOwn(one) && !isLarge(one)),
    plan.filter((one) => !(isOwn(one) || isLarge(one))),
  ];
}

/** Runs a workload against a mutant, until each of the observers of its traffic has found a failure. */
export async function observeMutant(mutant: Mutant, workload: Workload): Promise<Kill> {
  const { intercept, requirement, title } = mutant;
  const observers = ways.map((way) => new Observer({ ...options[way], held: 64 }));
  const isOver = (): boolean => observers.every((one) => one.hasFailed);
  const onExchange = (exchange: ObservedExchange): void => {
    for (const observer of observers) if (!observer.hasFailed) observer.add(exchange);
  };
  await runOnSandbox({
    intercept,
    plans: plansFor(workload, requirement),
    settings: settingsOf[workload],
    onExchange,
    onOutcome: () => !isOver(),
  }).catch(ignored);
  if (workload === "plain" && !isOver()) await clientPart(mutant, observers, onExchange).catch(ignored);
  for (const observer of observers) observer.end();
  const failed = ways.map((way, index) => [way, observers.slice(index, index + 1).flatMap(failedIds)]);
  const exchanges = Math.max(...observers.map((one) => one.counts.exchanges));
  return { requirement, title, failed: Object.fromEntries(failed) as Kill["failed"], exchanges };
}

/** The suites may fail on a mutant in a way of their own; what was observed counts. */
const ignored = (): void => {};

/** The client suite, on another server with the same fault. */
async function clientPart(
  { title, intercept }: Mutant,
  observers: readonly Observer[],
  onExchange: (exchange: ObservedExchange) => void,
): Promise<void> {
  const onReset = (): void => {
    for (const observer of observers) observer.forget(true);
  };
  onReset();
  await clientTraffic({
    title,
    intercept,
    onExchange,
    onReset,
    onOutcome: () => observers.some((one) => !one.hasFailed),
  });
}

interface ClientTrafficOptions extends ServerUnderTest {
  /** Called before each test case: the server is as at its start. */
  onReset: () => void;
  /** Called with each outcome; no further test case begins once it has returned false. */
  onOutcome?: () => boolean;
}

/** Without those that wait for pauses of the client, which take half a minute. */
const cases = clientCases("full").filter(({ check }) => !check.waits);

/** Runs the client suite with the project's own client: what it sends to a server is the traffic of an application. */
export async function clientTraffic({
  onReset,
  onOutcome = () => true,
  ...server
}: ClientTrafficOptions): Promise<void> {
  const { full: key = "" } = keysOfDemo();
  const startService = async (): Promise<Service> => {
    const { url, sandbox, close } = await openFront(server);
    const reset = async (): Promise<void> => {
      await sandbox.reset();
      onReset();
    };
    return { ...serviceOf(sandbox, key), baseUrl: url, reset, close };
  };
  await runClient({ cases, startDriver: inProcessDriver(), startService, concurrency: 1, onOutcome });
}
