import { randomUUID } from "node:crypto";
import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { StoreUnavailableError } from "../../domain/store.ts";
import { Backoff } from "./backoff.ts";
import { clientOptions } from "./connections.ts";
import type { Database, Statement } from "./database.ts";
import { holdInstanceLock } from "./instances.ts";

/** What instances tell each other after commits. */
export interface Signal {
  workspace: string;
  epoch: number;
  /** The earliest due time that was written; missing if something else has changed. */
  dueAt?: number | undefined;
}

const channel = "email_sandbox";

const notify: Statement = {
  name: "notify",
  text: `SELECT pg_notify('${channel}', signal) FROM unnest($1::text[]) AS signal`,
};

/** How long signals are gathered, in milliseconds. A commit with a notification would wait for all other ones. */
const delay = 10;

/**
 * Sends signals to other instances and receives theirs, on a connection that also tells them that this one is there. One may be lost with its
 * connection: a listener also looks from time to time.
 */
export class Signals {
  readonly #database: Database;
  readonly #url: string;
  /** This instance does not receive its own signals. */
  readonly instance = randomUUID();
  readonly #listeners = new Map<string, Set<(signal: Signal) => void>>();
  #gathered = new Map<string, Signal>();
  #sending: NodeJS.Timeout | undefined;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #backoff = new Backoff(100, 2_000);
  /** Why no request may be handled. */
  #unavailableReason: string | undefined;
  /** Why the last attempt to connect failed; undefined once one succeeds. */
  #unreachable: StoreUnavailableError | undefined;
  #closed = false;
  readonly #attempted = Promise.withResolvers<void>();
  /** Called with each new connection. */
  #onConnect: (client: pg.Client) => Promise<void> = async () => {};
  readonly #onError: (error: unknown) => void;

  constructor(database: Database, url: string, onError: (error: unknown) => void = () => {}) {
    this.#database = database;
    this.#url = url;
    this.#onError = onError;
  }

  /**
   * Calls `listener` with the signals of other instances about a workspace, once it resolves; if the database cannot be reached, once it can.
   *
   * @returns what ends that
   */
  async listen(workspace: string, listener: (signal: Signal) => void): Promise<() => void> {
    const listeners = this.#listeners.get(workspace) ?? new Set();
    this.#listeners.set(workspace, listeners.add(listener));
    if (this.#client === undefined && this.#retry === undefined) this.#connect();
    await this.#attempted.promise;
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(workspace);
    };
  }

  /**
   * Calls `work` with the connection, and again with each one that replaces it.
   *
   * @throws what the first call throws. From the end of a connection on, `assertAgreed` throws, until a later call succeeds
   */
  async onConnect(work: (client: pg.Client) => Promise<void>): Promise<void> {
    if (this.#client === undefined && this.#retry === undefined) this.#connect();
    await this.#attempted.promise;
    if (this.#client === undefined) throw new StoreUnavailableError("The database cannot be reached.");
    await work(this.#client);
    this.#onConnect = work;
  }

  /**
   * Others with other options may have come while this instance was not connected.
   *
   * @throws StoreUnavailableError until it is connected again and has compared its options with theirs
   */
  assertAgreed(): void {
    if (this.#unreachable !== undefined) throw this.#unreachable;
    if (this.#unavailableReason !== undefined) throw new StoreUnavailableError(this.#unavailableReason);
  }

  send(signal: Signal): void {
    const { workspace, epoch, dueAt = Number.POSITIVE_INFINITY } = signal;
    const name = JSON.stringify([workspace, epoch]);
    const earliest = Math.min(this.#gathered.get(name)?.dueAt ?? Number.POSITIVE_INFINITY, dueAt);
    this.#gathered.set(name, earliest === Number.POSITIVE_INFINITY ? signal : { ...signal, dueAt: earliest });
    this.#sending ??= setTimeout(() => this.#send(), delay).unref();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#sending);
    await Promise.all([this.#send(), this.#client?.end().catch(() => {})]);
  }

  async #send(): Promise<void> {
    this.#sending = undefined;
    const signals = [...this.#gathered.values()];
    this.#gathered = new Map();
    if (signals.length === 0) return;
    const texts = signals.map((signal) => JSON.stringify({ ...signal, sender: this.instance }));
    await this.#database.query(notify, [texts]).catch(() => {});
  }

  #connect(): void {
    const client = new pg.Client(clientOptions(this.#url));
    this.#client = client;
    client.on("error", () => {});
    client.on("end", () => this.#reconnect(client));
    client.on("notification", ({ payload = "" }) => this.#receive(payload));
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .then(() => {
        this.#unreachable = undefined;
      })
      .then(() => holdInstanceLock(client, this.instance))
      .then(() => this.#onConnect(client))
      .then(() => {
        // Otherwise the next connection compares them.
        if (this.#client === client) this.#unavailableReason = undefined;
        this.#backoff.reset();
      })
      .catch((error) => {
        if (error instanceof UserError) this.#disagree(error);
        else if (!this.#closed)
          this.#unreachable = new StoreUnavailableError("The database cannot be reached.", { cause: error });
        this.#reconnect(client);
      })
      .finally(() => this.#attempted.resolve());
  }

  #disagree(error: UserError): void {
    this.#unavailableReason = error.message;
    this.#onError(error);
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#unavailableReason ??=
      "The connection to the database was lost, and the options of the instances are not compared yet.";
    client.end().catch(() => {});
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#connect();
    }, this.#backoff.next()).unref();
  }

  #receive(payload: string): void {
    const received = readSignal(payload);
    if (received === undefined || received.sender === this.instance) return;
    const { sender: _, ...signal } = received;
    for (const listener of this.#listeners.get(signal.workspace) ?? []) listener(signal);
  }
}

/** Every user of the database may send anything on the channel. */
function readSignal(payload: string): (Signal & { sender: string }) | undefined {
  try {
    const value = JSON.parse(payload);
    return typeof value?.workspace === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
