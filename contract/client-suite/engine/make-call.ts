import type { OperationId } from "../../../generated/operations.ts";
import type { ResponseCheckTally } from "../../engine/outcome.ts";
import type { Observed } from "../../engine/run-case.ts";
import type { Exchange } from "../../exchange.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { type Call, type Driver, DriverError, flushQuestion } from "../driver/protocol.ts";
import type { Disturbance, RecordingServer } from "../service/recording-server.ts";
import { adviseAttempts, adviseErrors, checkAttempts } from "./attempt-checks.ts";
import type { SilentCalls } from "./driver-session.ts";
import { causesOfRejection, RecordedCall, toExchange } from "./recorded-call.ts";
import { checkOutput, checkReply, isInFirstLine } from "./reply-checks.ts";
import { checkRequest } from "./request-checks.ts";

/** How a call is made. */
export interface CallOptions extends Omit<Call, "operation"> {
  /** What happens to its requests, one after the other; null lets a request pass. */
  disturb?: readonly (Disturbance | null)[];
  /** Milliseconds until the reply must be there, in addition to the timeout of the call; default: 10 s. */
  replyTimeout?: number;
  /** Whether the result is compared with the response; default: true. A test case that compares it itself has another requirement. */
  isCompared?: boolean;
}

const usualTimeout = 10_000;

/** What a call needs besides the driver. */
export interface CallParts {
  /** Records its requests. */
  server: RecordingServer;
  key: string;
  /** Gets what is found. */
  observed: Observations;
  silentCalls: SilentCalls;
}

/**
 * Lets a driver call an operation, and checks the requests and the reply.
 * @throws DriverError if the driver fails
 */
export async function makeCall(
  driver: Driver,
  operation: OperationId,
  { disturb = [], replyTimeout = usualTimeout, isCompared = true, ...more }: CallOptions,
  { server, key, observed, silentCalls }: CallParts,
): Promise<RecordedCall> {
  const call: Call = { operation, ...more };
  server.disturb(disturb);
  const startedAt = performance.now();
  const deadline = replyTimeout + (call.timeout ?? 0);
  const reply = await driver.call(call, deadline).catch((error) => {
    silentCalls.note(performance.now() - startedAt >= deadline);
    throw error;
  });
  const milliseconds = performance.now() - startedAt;
  await server.settle();
  const wire = server.take();
  const isSilent = reply === undefined && wire.length === 0;
  silentCalls.note(isSilent);
  if (isSilent) throw silentError(call, milliseconds);
  const advice = [
    ...adviseAttempts(wire, call, driver.capabilities),
    ...adviseErrors(reply, driver.capabilities),
  ];
  for (const one of advice) observed.information.add(one);
  const causes = new Set<string>();
  const exchanges = wire.map((one, index) => {
    const exchange = toExchange(one, { call, reply, before: wire.slice(0, index) }, key);
    const findings = checkRequest(one.request, call, key, driver.capabilities);
    observed.exchanges.push(exchange);
    observed.note(exchange, ...findings);
    for (const id of causesOfRejection(one, call, findings)) causes.add(id);
    return exchange;
  });
  const last = exchanges.at(-1);
  // Also what the driver wrote at its start or after its last reply, such as a line of a log.
  const output = driver.takeOutput();
  observed.note(
    last,
    ...checkAttempts(wire, call, driver.capabilities),
    ...checkReply(reply, wire, call, isCompared),
  );
  const found = checkOutput(output, key);
  // Without a request, nothing passes.
  if (wire.length > 0 || found.failure !== undefined)
    observed.note(isInFirstLine(output, key) ? undefined : last, found);
  return new RecordedCall({ call, reply, wire, exchanges, milliseconds, causes: [...causes] });
}

const silentError = (call: Call, milliseconds: number): DriverError =>
  new DriverError(
    [
      `The driver sent no request and wrote no reply within ${Math.round(milliseconds / 1000)} s.`,
      `In the call ${JSON.stringify(call).slice(0, 300)}`,
      flushQuestion,
    ].join("\n"),
  );

/** What a test case observes. */
export class Observations implements Observed {
  readonly exchanges: Exchange[] = [];
  readonly responseChecks = new Map<string, ResponseCheckTally & { at: (Exchange | undefined)[] }>();
  readonly information = new Set<string>();
  readonly compared = new Set<string>();

  get requests(): number {
    return this.exchanges.length;
  }

  /** @param exchange the one that shows the findings */
  note(exchange: Exchange | undefined, ...findings: readonly ResponseFinding[]): void {
    for (const { ids, title, failure } of findings) {
      // The same check of the results of two operations is about two requirements.
      const name = `${ids.join(" ")} ${title}`;
      const tally = this.responseChecks.get(name) ?? { ids, title, responses: 0, failures: [], at: [] };
      this.responseChecks.set(name, tally);
      tally.responses += 1;
      if (failure === undefined) continue;
      tally.failures.push({ ...failure, exchange: null });
      tally.at.push(exchange);
    }
  }
}
