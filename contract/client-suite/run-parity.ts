import type { OperationId } from "../../generated/operations.ts";
import { jsonOf } from "../../lib/objects.ts";
import { Observations } from "../engine/outcome.ts";
import { outcomeOf } from "../engine/run-case.ts";
import { redactor } from "../engine/secrets.ts";
import type { PlannedCase } from "../plan.ts";
import { headingOf } from "../report/result.ts";
import type { StartDriver } from "./driver/protocol.ts";
import { type ClientTester, usualTimeout } from "./engine/client-tester.ts";
import type { RecordedCall } from "./engine/recorded-call.ts";
import { requirementOf } from "./engine/reply-checks.ts";
import { compareCalls } from "./parity/compare-calls.ts";
import { Pairs } from "./parity/pairs.ts";
import { type ClientRunOptions, type EndedCase, runClient } from "./run-client.ts";

/**
 * Runs test cases on two clients, one after the other, and compares their requests, results and errors: a requirement passes if both do the same
 * where it is about.
 * @throws DriverError if a driver does not start
 */
export async function runParity(options: ClientRunOptions, startOther: StartDriver) {
  const others = new Map<PlannedCase<ClientTester>, EndedCase>();
  const { capabilities: other } = await runClient({
    ...options,
    startDriver: startOther,
    onEnd: (planned, ended) => others.set(planned, ended),
  });
  const observed = new Observations();
  const keys = new Set<string>();
  const { capabilities } = await runClient({
    ...options,
    onEnd: (planned, ended) => {
      const otherEnded = others.get(planned) as EndedCase;
      for (const { tester } of [ended, otherEnded]) keys.add(tester.service.key);
      compareCase(observed, ended, otherEnded);
    },
  });
  for (const operation of other.operations) {
    const has = capabilities.operations.includes(operation);
    const failure = { expected: operation, found: "no such operation" };
    const ids = [requirementOf(operation as OperationId)];
    observed.note(undefined, { ids, title: "has the operation", ...(!has && { failure }) });
  }
  const redact = redactor([...keys]);
  const check = { ids: [], title: "both clients do the same", tags: [] };
  const outcome = await outcomeOf(observed, { check, testCase: { title: "" }, redact }, async () => {});
  for (const one of outcome.responseChecks) one.title = redact(one.title);
  const client = `${capabilities.client} compared with ${other.client}`;
  return { capabilities: { ...capabilities, client }, outcomes: [outcome] };
}

/** Compares what two clients did in a test case, as long as it makes the same calls. */
function compareCase(observed: Observations, own: EndedCase, other: EndedCase): void {
  const pairs = new Pairs();
  pairs.note(own.tester.service.key, other.tester.service.key);
  const [found, expected] = [own.outcome, other.outcome];
  if (found.verdict !== expected.verdict && [found.verdict, expected.verdict].includes("error")) {
    const failure = { expected: expected.reason ?? "no error", found: found.reason ?? "no error" };
    observed.note(undefined, { ids: found.ids, title: "the driver does not fail", failure });
  }
  const [ownCalls, otherCalls] = [own, other].map(({ tester }) =>
    tester.calls.map(({ call }) => call.operation).join(),
  );
  if (ownCalls !== otherCalls)
    observed.information.add(`${headingOf(found)}: after the first different call, calls are not compared`);
  for (const [index, called] of own.tester.calls.entries()) {
    const otherCall = other.tester.calls[index];
    if (otherCall?.call.operation !== called.call.operation) return;
    if (isWaiting(called) !== isWaiting(otherCall)) {
      observed.information.add(`${headingOf(found)}: one client still waited, and is not compared`);
      return;
    }
    pairs.note(called.call, otherCall.call);
    for (const [at, { response }] of called.wire.entries()) {
      const { headers, body } = otherCall.wire[at]?.response ?? {};
      pairs.note(response?.headers, headers);
      pairs.note(jsonOf(String(response?.body)), jsonOf(String(body)));
    }
    observed.requests += called.wire.length;
    // What the suite finds in a request is no cause of a difference.
    for (const one of called.exchanges) one.faults = [];
    observed.note(called.exchanges.at(-1), ...compareCalls(called, otherCall, pairs));
  }
}

/** Whether a client may only not have replied yet: in a short time, its random pauses before retries decide. */
const isWaiting = ({ reply, milliseconds }: RecordedCall): boolean =>
  reply === undefined && milliseconds < usualTimeout;
