import type { Called } from "../engine/called.ts";
import type { ClientTester } from "../engine/client-tester.ts";

/** The pauses between the requests of a call, in milliseconds. */
const pausesOf = ({ wire }: Called): number[] =>
  wire.slice(1).map(({ receivedAt }, index) => receivedAt - (wire[index]?.endedAt ?? 0));

const longestOf = (called: Called): number => Math.max(0, ...pausesOf(called));

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
export async function assertPauses(first: Called, again: () => Promise<Called>): Promise<void> {
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
export function adviseBackoff({ information }: ClientTester, called: Called): void {
  const pauses = pausesOf(called);
  if (called.wire.length > usualAttempts)
    information.add(
      `The client sends a failing request ${called.wire.length} times; fewer spare a service that has failed.`,
    );
  // Pauses that grow may still be random, so that a later one is shorter: not all of them are.
  const grows = pauses.some((pause, index) => index > 0 && pause > 1.2 * (pauses[index - 1] ?? 0));
  if (pauses.length > 2 && !grows) information.add("The pauses of the client between retries do not grow.");
}
