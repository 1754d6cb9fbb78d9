import { NotVerified } from "../../engine/assert.ts";
import type { CallError } from "../driver/driver.ts";
import type { Called } from "../engine/called.ts";
import type { ClientTester } from "../engine/client-tester.ts";

/** What stands in front of a service may respond with. */
export const htmlPage = {
  headers: { "content-type": "text/html" },
  body: "<html><h1>Bad gateway</h1></html>",
};

/** Milliseconds in which clients with a usual backoff have given up. */
export const retryTimeout = 20_000;

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

/** @throws NotVerified if the driver declares that the errors of the client do not have a property */
export function mustReturn({ capabilities }: ClientTester, property: "fields" | "requestId"): void {
  if (capabilities.errors?.includes(property) === false)
    throw new NotVerified(`The driver declares that the errors of the client have no ${property}.`);
}

/** Asserts what follows a failure that passes: a client that retries returns the result of a later request, another one an error. */
export function assertRetried({ capabilities }: ClientTester, called: Called, status: number): void {
  if (!capabilities.retries) {
    called
      .about("ERR-15")
      .assert(
        called.wire.length === 1,
        "one request: the driver declares that the client does not retry",
        `${called.wire.length} requests, and ${called.outcome}`,
      );
    void called.about("ERR-2").error;
    return;
  }
  called
    .about("ERR-15")
    .assert(
      called.wire.length > 1,
      `a retry after ${status}, because the driver declares retries`,
      `one request, and ${called.outcome}`,
    );
  void called.result;
}

/** Notes that a client that retries gives up when a connection is lost. */
export function adviseRetry(tester: ClientTester, called: Called, what: string, loss: string): void {
  if (tester.capabilities.retries && called.wire.length === 1)
    tester.information.add(
      `The client does not retry ${what} if the service ${loss}, although that is safe.`,
    );
}
