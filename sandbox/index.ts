import { unreadable } from "./api/body.ts";
import type { Failures } from "./api/simulated-failure.ts";
import type { Message } from "./domain/records.ts";
import { ClosedError, type Store } from "./domain/store.ts";
import { guardHosts } from "./gateway.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { createHostCheck, type HostCheck, isLoopback } from "./http/hosts.ts";
import { type HttpServer, listen } from "./http/node.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import { openService, type SandboxOptions, type Service } from "./service.ts";
import { openStore } from "./store/open.ts";
import type { SandboxClock } from "./time/clock.ts";

/** The time at which the examples of the document are valid: `clock: { startAt: Date.parse(exampleTime) }`. */
export { exampleTime } from "../generated/examples.ts";
export type { HandledRequest } from "./api/context.ts";
export type { Message } from "./domain/records.ts";
export type { Seed } from "./seed/seed.ts";
export type { SandboxOptions } from "./service.ts";

/** Sent and scheduled messages, for assertions in tests. */
export interface Outbox {
  /** Messages of every status, the newest first; `limit` defaults to all. */
  messages(query?: { accountId?: string; limit?: number }): Promise<Message[]>;
  /** The message as MIME, the same bytes each time. */
  eml(message: Message): Promise<Uint8Array>;
}

export interface Sandbox {
  /** The `base_url` of the service. */
  url: string;
  /** Like the global `fetch`, without a network. Relative URLs are resolved against `url`. */
  fetch: Fetch;
  /** Time in the sandbox. Advancing it resolves when everything due has happened. */
  clock: SandboxClock;
  outbox: Outbox;
  store: Store;
  failures: Failures;
  /** The folder of the data, or the URL of the database without its password; null in memory. */
  data: string | null;
  /** The URL of the SMTP server that mail is sent to, without its password; null without one. */
  smtp: string | null;
  /** The keys of the seed by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Whether the data folder had the contacts and suppressions of another seed at the start. A reset loads those of this one. */
  hasOtherSeed: boolean;
  /** Returns to the state after the start with this seed. */
  reset(): Promise<void>;
  /** Ends the requests in progress and closes everything. All calls from then on are rejected. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox of the service.
 * @throws UserError when the seed, a host name, the data folder, the outbox folder or the URL of the SMTP server is invalid; Node's error
 * when the port cannot be opened
 */
export async function startSandbox(given?: SandboxOptions): Promise<Sandbox> {
  // JavaScript may pass null.
  const options: SandboxOptions = { ...given, onError: reporter(given?.onError) };
  const seed = await loadSeed(options.seed);
  const isOwnHost = createHostCheck(options.host ?? usualHost, options.allowHosts);
  const { store, shown } = await openStore(options);
  const { host = usualHost, control = false, docs } = options;
  const access = { exposed: !isLoopback(host), control, ...(docs !== undefined && { docs }) };
  // Closed in the opposite order if the start fails.
  let opened: Pick<Service, "close"> = store;
  try {
    const service = await openService(options, { seed, store, access });
    opened = service;
    return assemble(service, await openPort(service, options, isOwnHost), shown, seed);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

const usualHost = "127.0.0.1";

/** Reports errors but those of work in the background that `close` has interrupted. */
const reporter =
  (onError: SandboxOptions["onError"]) =>
  (error: unknown): void => {
    if (!(error instanceof ClosedError)) onError?.(error);
  };

/** Opens the port. Only here hosts are checked: `fetch` is called by this process, not by a web page. */
const openPort = (
  { gateway, app }: Service,
  { port = 0, host = usualHost, requestTimeout = 60_000 }: SandboxOptions,
  isOwnHost: HostCheck,
): Promise<HttpServer> =>
  listen({
    ...guardHosts(gateway, app, isOwnHost),
    unreadable: (line, code) =>
      line === undefined
        ? app.renderError(unreadable(code))
        : gateway.handle({ ...line, headers: {}, body: null }),
    ...{ port, host, requestTimeout },
  });

function assemble(service: Service, port: HttpServer, data: string | null, seed: Seed): Sandbox {
  const { services, clock, smtp, hasOtherSeed } = service;
  const keys = seed.accounts.flatMap((account) => account.keys.map(({ key, label = key }) => [label, key]));
  const { store, failures } = services;
  const { url } = port;
  const send = createFetch(service.gateway.handle, url);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    service.stop();
    await port.close();
    await service.close();
  };
  return {
    ...{ url, data, keys: Object.fromEntries(keys), store, outbox: createOutbox(store) },
    ...{ clock, smtp, hasOtherSeed, failures },
    async fetch(input, init) {
      if (closing !== undefined) throw new ClosedError();
      return send(input, init);
    },
    reset: service.reset,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

const createOutbox = (store: Store): Outbox => ({
  messages: ({ accountId, limit = Number.MAX_SAFE_INTEGER } = {}) =>
    store.messages(accountId === undefined ? { limit } : { accountId, limit }),
  eml: async (message) => (await import("./mail/compose.ts")).compose(message),
});
