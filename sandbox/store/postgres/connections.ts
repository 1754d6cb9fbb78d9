import pg from "pg";
import { ClosedError, StoreUnavailableError } from "../../domain/store.ts";
import { Backoff } from "./backoff.ts";
import { isUnavailable } from "./errors.ts";
import { connectTimeoutOf } from "./url-options.ts";

/** How long to wait for a connection if its URL does not say, in milliseconds. */
const connectTimeout = 5_000;

/** How long a statement may take: on the server, and until the reply if the server does not respond at all. In milliseconds. */
const statementTimeout = 10_000;
const replyTimeout = 15_000;

/** Most connections of one instance, besides the one that listens. */
const most = 10;

const int8 = 20;

/** Numbers of 64 bits are times, counts and sequences: all of them are exact as JavaScript numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) => (id === int8 ? Number : pg.types.getTypeParser(id, format)),
};

/** Once per connection. Statements find their rows by keys, with an index, whatever the size of the tables was when they were planned. */
const settings = `SET search_path = email_sandbox; SET plan_cache_mode = force_generic_plan; SET jit = off;
SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET enable_bitmapscan = off;
SET statement_timeout = ${statementTimeout}; SET idle_in_transaction_session_timeout = ${statementTimeout}`;

/** @param timeLeft the longest to wait for a connection, whatever the URL says, in milliseconds */
export const clientOptions = (url: string, timeLeft = Number.POSITIVE_INFINITY): pg.ClientConfig => ({
  connectionString: url,
  application_name: "email-sandbox",
  connectionTimeoutMillis: Math.min(connectTimeoutOf(url) ?? connectTimeout, timeLeft),
  query_timeout: replyTimeout,
  keepAlive: true,
});

/**
 * A bounded number of connections, which are opened again when they are lost. After a failed attempt everything is rejected for a moment, a
 * little longer each time, instead of waiting for attempts that fail too.
 */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #backoff = new Backoff(50, 1_000);
  #pausedUntil = 0;
  #closed = false;
  readonly #uses = new Set<Promise<unknown>>();

  constructor(url: string) {
    this.#pool = new pg.Pool({
      ...clientOptions(url),
      types,
      // A transaction begins and reads in one round trip, and writes and commits in another one.
      pipeline: true,
      max: most,
      onConnect: (client) => client.query(settings).then(() => {}),
    } as pg.PoolConfig);
    // A connection that is lost while nothing uses it: the next call opens another one.
    this.#pool.on("error", () => {});
  }

  /** Lends a connection to `work`. One that fails is not used again. */
  use<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const used = this.#use(work).finally(() => this.#uses.delete(ended));
    const ended = used.catch(() => {});
    this.#uses.add(ended);
    return used;
  }

  /** Resolves once what uses connections has ended. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all(this.#uses);
    await this.#pool.end();
  }

  async #use<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect();
    let lost: Error | undefined;
    const onError = (error: Error): void => {
      lost = error;
    };
    // Without a listener it would end the process. The query in progress rejects too.
    client.on("error", onError);
    try {
      return await work(client);
    } catch (error) {
      if (isUnavailable(error)) lost ??= error as Error;
      throw error;
    } finally {
      client.off("error", onError);
      client.release(lost);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#closed) throw new ClosedError();
    if (performance.now() < this.#pausedUntil)
      throw new StoreUnavailableError("The database could not be reached a moment ago.");
    try {
      const client = await this.#pool.connect();
      this.#backoff.reset();
      return client;
    } catch (cause) {
      this.#pauseAfter(cause);
      throw new StoreUnavailableError("The database cannot be reached.", { cause });
    }
  }

  #pauseAfter(error: unknown): void {
    // All connections are in use.
    if (error instanceof Error && error.message.startsWith("timeout exceeded")) return;
    // Another attempt at the same time has failed already.
    if (performance.now() < this.#pausedUntil) return;
    this.#pausedUntil = performance.now() + this.#backoff.next();
  }
}
