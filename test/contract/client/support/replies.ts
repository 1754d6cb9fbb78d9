import { NotVerified } from "../../engine/assert.ts";
import type { CallError } from "../driver/driver.ts";
import type { Called } from "../engine/called.ts";
import type { ClientTester } from "../engine/client-tester.ts";

/** Milliseconds in which clients with a usual backoff have given up. */
export const retryPatience = 20_000;

/**
 * The error of a call whose requests all failed.
 * @throws NotVerified if the client still retries
 */
export function finalError(called: Called): CallError {
  if (called.reply === undefined && called.wire.length > 1)
    throw new NotVerified(
      `The client still retries after ${Math.round(called.milliseconds / 1000)} s, with ${called.wire.length} requests.`,
    );
  return called.error;
}

/** Asserts the status of an error, and its type; null: none. */
export function assertError(called: Called, status: number, type?: string | null): void {
  const { kind, ...error } = finalError(called);
  called.assert(kind === "response" && error.status === status, `an error with status ${status}`);
  if (type !== undefined) called.assert((error.type ?? null) === type, `an error of the type ${type}`);
}

/** Asserts what follows a failure that passes: a client that retries returns the result of a later request, another one an error. */
export function assertRetried({ capabilities }: ClientTester, called: Called, status: number): void {
  if (!capabilities.retries) {
    void called.error;
    return;
  }
  called.assert(
    called.wire.length > 1,
    `a retry after ${status}, because the driver declares retries`,
    `one request, and ${called.outcome}`,
  );
  void called.result;
}

/** More attempts than these burden a service that has failed. */
const usualAttempts = 8;

/** Notes how a client backs off, which no requirement says. */
export function adviseBackoff({ information }: ClientTester, { wire }: Called): void {
  const pauses = wire.slice(1).map(({ receivedAt }, index) => receivedAt - (wire[index]?.endedAt ?? 0));
  if (wire.length > usualAttempts)
    information.add(
      `The client sends a failing request ${wire.length} times; fewer spare a service that has failed.`,
    );
  // Random pauses may shrink by half.
  const shrinks = pauses.some((pause, index) => pause < (pauses[index - 1] ?? 0) / 2);
  const stays = pauses.length > 2 && (pauses.at(-1) ?? 0) < 1.5 * (pauses[0] ?? 0);
  if (shrinks || stays) information.add("The pauses of the client between retries do not grow.");
}

/** Notes that a client that retries gives up when a connection is lost. */
export function adviseRetry(tester: ClientTester, called: Called, what: string): void {
  if (tester.capabilities.retries && called.wire.length === 1)
    tester.information.add(
      `The client does not retry ${what} after a lost connection, although that is safe.`,
    );
}
