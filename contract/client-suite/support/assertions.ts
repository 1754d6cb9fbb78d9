import { NotVerified } from "../../engine/assert.ts";
import type { CallError } from "../driver/protocol.ts";
import type { ClientTester } from "../engine/client-tester.ts";
import type { RecordedCall } from "../engine/recorded-call.ts";

/** What stands in front of a service may respond with. */
export const htmlPage = {
  headers: { "content-type": "text/html" },
  body: "<html><h1>Bad gateway</h1></html>",
};

/** Milliseconds in which clients with a usual backoff have given up. */
export const retryTimeout = 20_000;

/** The error of a call whose requests all failed. @throws NotVerified if the client still retries */
export function finalError(called: RecordedCall): CallError {
  if (called.reply === undefined && called.wire.length > 1)
    throw new NotVerified(
      `The client still retries after ${Math.round(called.milliseconds / 1000)} s, with ${called.wire.length} requests.`,
    );
  return called.error;
}

/** Asserts the status of an error, and its type; null: none. */
export function assertError(called: RecordedCall, status: number, type?: string | null): void {
  const { kind, ...error } = finalError(called);
  called.assert(kind === "response" && error.status === status, `an error with status ${status}`);
  if (type !== undefined) called.assert((error.type ?? null) === type, `an error of the type ${type}`);
}

/** @throws NotVerified if the driver declares that the errors of the client do not have a property */
export function assertReturns({ capabilities }: ClientTester, property: "fields" | "requestId"): void {
  if (capabilities.errors?.includes(property) === false)
    throw new NotVerified(`The driver declares that the errors of the client have no ${property}.`);
}

/** Asserts what follows a failure that passes: a client that retries returns the result of a later request, another one an error. */
export function assertRetried({ capabilities }: ClientTester, called: RecordedCall, status: number): void {
  const { outcome, wire } = called;
  const own = called.about("ERR-15");
  if (capabilities.retries) {
    const expected = `a retry after ${status}, because the driver declares retries`;
    own.assert(wire.length > 1, expected, `one request, and ${outcome}`);
    void called.result;
  } else {
    const expected = "one request: the driver declares that the client does not retry";
    own.assert(wire.length === 1, expected, `${wire.length} requests, and ${outcome}`);
    void called.about("ERR-2").error;
  }
}

/** The pauses between the requests of a call, in milliseconds. */
const pausesOf = ({ wire }: RecordedCall): number[] =>
  wire.slice(1).map(({ receivedAt }, index) => receivedAt - (wire[index]?.endedAt ?? 0));

const longestOf = (called: RecordedCall): number => Math.max(0, ...pausesOf(called));

/** Random pauses may be short in some calls, but not in so many. */
const mostCalls = 12;
/**
 * In milliseconds: the longest pauses of that many calls together. Of a client that never waits, they are the times of its own work;
 * those of a single retry after a random pause of up to 100 ms are shorter in one of 100,000 runs.
 */
const shortestSum = 200;

/**
 * Asserts that a client waits before it retries. How long is up to the client, and whether its first retry waits.
 * @param first a call in which the client has retried
 * @param again makes another call, whose first requests all fail
 */
export async function assertPauses(first: RecordedCall, again: () => Promise<RecordedCall>): Promise<void> {
  let last = first;
  let sum = longestOf(first);
  for (let calls = 1; sum < shortestSum && calls < mostCalls; calls += 1) {
    last = await again();
    sum += longestOf(last);
  }
  last.assert(
    sum >= shortestSum,
    `pauses before retries, in ${mostCalls} calls of at least ${shortestSum} ms together`,
    `pauses of ${Math.round(sum)} ms together`,
  );
}

/** More attempts than these burden a service that has failed. */
const usualAttempts = 8;

/** Notes how a client backs off, which no requirement says. */
export function adviseBackoff({ information }: ClientTester, called: RecordedCall): void {
  const pauses = pausesOf(called);
  if (called.wire.length > usualAttempts)
    information.add(
      `The client sends a failing request ${called.wire.length} times; fewer spare a service that has failed.`,
    );
  // Pauses that grow may still be random, so that a later one is shorter: not all of them are.
  const grows = pauses.some((pause, index) => index > 0 && pause > 1.2 * (pauses[index - 1] ?? 0));
  if (pauses.length > 2 && !grows) information.add("The pauses of the client between retries do not grow.");
}
