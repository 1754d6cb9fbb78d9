import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { Backoff } from "./backoff.ts";
import { type Failure, isTlsError, reasonOf, userErrorOf } from "./connect-errors.ts";
import { clientOptions } from "./connections.ts";
import type { DatabaseUrl } from "./database-url.ts";
import { isUnavailable } from "./errors.ts";

export interface Waiting {
  /** How long to wait for a database that cannot be reached, in milliseconds: containers start at the same time. */
  timeout?: number;
  /** Called once if it has to wait. */
  onError?: (error: unknown) => void;
}

const usualTimeout = 30_000;

/** An attempt may take this long even if less time is left: the first one, and `pg` takes 0 for no limit. In milliseconds. */
const leastTimeout = 1_000;

/**
 * Lends a connection to `work`. As long as the database cannot be reached, both are tried again.
 *
 * @throws UserError if the database cannot be used
 */
export async function onceReachable(
  database: DatabaseUrl,
  { timeout = usualTimeout, onError = () => {} }: Waiting,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const end = performance.now() + timeout;
  const backoff = new Backoff(100, 2_000);
  for (let isFirst = true; ; isFirst = false) {
    const failure = await attempt(database, Math.max(end - performance.now(), leastTimeout), work);
    if (failure === undefined) return;
    const { error } = failure;
    if (!isUnavailable(error) || isTlsError(error) || performance.now() >= end)
      throw userErrorOf(failure, database);
    if (isFirst) onError(waits(error, database, timeout));
    await wait(backoff.next());
  }
}

async function attempt(
  { url }: DatabaseUrl,
  timeLeft: number,
  work: (client: pg.Client) => Promise<void>,
): Promise<Failure | undefined> {
  // A migration may take longer than any request.
  const client = new pg.Client({ ...clientOptions(url, timeLeft), query_timeout: undefined });
  // The query in progress rejects too.
  client.on("error", () => {});
  let isConnected = false;
  try {
    await client.connect();
    isConnected = true;
    await work(client);
    return undefined;
  } catch (error) {
    // `pg` has looked everywhere for a password, but only if the server has asked for one.
    return { error, isConnected, hasPassword: Boolean(client.password) };
  } finally {
    // Otherwise a connection that failed would keep the process alive until the server ends it.
    client.end().catch(() => {});
  }
}

const waits = (error: unknown, { shown }: DatabaseUrl, timeout: number): UserError =>
  new UserError(
    `the database ${shown} cannot be reached yet: ${reasonOf(error)}; trying again for ${timeout / 1_000} seconds`,
  );
