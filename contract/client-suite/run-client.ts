import pLimit from "p-limit";
import { checksIn } from "../engine/check.ts";
import type { CaseOutcome } from "../engine/outcome.ts";
import { outcomeOf } from "../engine/run-case.ts";
import { redactor } from "../engine/secrets.ts";
import type { CommonProfile } from "../engine/settings.ts";
import { type PlannedCase, selectedCases } from "../plan.ts";
import type { Grep } from "../selection.ts";
import * as errors from "./checks/errors.ts";
import * as flows from "./checks/flows.ts";
import * as idempotency from "./checks/idempotency.ts";
import * as requests from "./checks/requests.ts";
import * as responses from "./checks/responses.ts";
import * as retries from "./checks/retries.ts";
import * as security from "./checks/security.ts";
import type { Capabilities, StartDriver } from "./driver/protocol.ts";
import { type ClientCheck, ClientTester } from "./engine/client-tester.ts";
import { DriverSession, type Service, SilentCalls } from "./engine/driver-session.ts";

/** The checks of the client suite: what these files export. */
export const clientChecks: readonly ClientCheck[] = checksIn([
  requests,
  responses,
  errors,
  retries,
  idempotency,
  flows,
  security,
]);

export interface ClientRunOptions {
  cases: readonly PlannedCase<ClientTester>[];
  startDriver: StartDriver;
  startService: () => Promise<Service>;
  concurrency?: number;
  /** Called when the first driver has started, before the first test case. */
  onReady?: (capabilities: Capabilities) => void;
  /** Called with each outcome; no further test case starts once it has returned false. */
  onOutcome?: (outcome: CaseOutcome) => boolean;
  /** Called with the end of each test case, and the tester with its calls. */
  onEnd?: (planned: PlannedCase<ClientTester>, ended: EndedCase) => void;
}

export type EndedCase = Awaited<ReturnType<typeof runOn>>;

/**
 * Runs test cases on a client. Each of the drivers that run at the same time has a service of its own.
 * @throws DriverError if the driver does not start
 */
export async function runClient(options: ClientRunOptions) {
  const { cases, startDriver, startService, concurrency = 4 } = options;
  const { onReady = () => {}, onOutcome = () => true, onEnd = () => {} } = options;
  const silentCalls = new SilentCalls();
  const sessions: DriverSession[] = [];
  const open = async (): Promise<DriverSession> => {
    const session = new DriverSession(await startService(), startDriver, silentCalls);
    sessions.push(session);
    await session.driver();
    return session;
  };
  try {
    const { capabilities } = await open();
    onReady(capabilities);
    const others = Array.from({ length: Math.min(concurrency, cases.length) - 1 }, open);
    // All have ended before the first error is thrown: what has started is closed.
    await Promise.allSettled(others);
    await Promise.all(others);
    const outcomes = new Map<PlannedCase<ClientTester>, CaseOutcome>();
    const free = [...sessions];
    let isStopped = false;
    // Those that wait start first, so that they end with the others.
    const ordered = cases.toSorted((one, other) => Number(other.check.waits) - Number(one.check.waits));
    await pLimit(sessions.length).map(ordered, async (planned) => {
      if (isStopped) return;
      const session = free.pop() as DriverSession;
      const { outcome, tester } = await runOn(session, planned);
      onEnd(planned, { outcome, tester });
      free.push(session);
      outcomes.set(planned, outcome);
      if (!onOutcome(outcome)) isStopped = true;
    });
    return { capabilities, outcomes: cases.flatMap((planned) => outcomes.get(planned) ?? []) };
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

async function runOn(session: DriverSession, { check, testCase }: PlannedCase<ClientTester>) {
  const tester = new ClientTester(session);
  const redact = redactor([session.service.key]);
  const outcome = await outcomeOf(tester, { check, testCase, redact }, async () => {
    session.silentCalls.assertNotTooMany();
    await session.reset();
    // What was sent twice is reported also if the test case fails.
    await testCase.run(tester).finally(() => tester.finish());
    tester.assertHasSent();
  });
  return { outcome, tester };
}

/** The test cases of a run. @param grep only what it selects */
export const clientCases = (profile: CommonProfile, grep?: Grep): PlannedCase<ClientTester>[] =>
  selectedCases(clientChecks, profile, grep);

/** What the client suite verifies. */
export const clientRequirements: ReadonlySet<string> = new Set(clientChecks.flatMap(({ ids }) => ids));

export const requirementsOfCases = (cases: readonly PlannedCase<ClientTester>[]): Set<string> =>
  new Set(cases.flatMap(({ check }) => check.ids));
