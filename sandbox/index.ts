import type { Failures } from "./api/failures.ts";
import { type App, createApp } from "./app.ts";
import { ClosedError } from "./domain/closed.ts";
import { noOutbound, type Outbound } from "./domain/outbound.ts";
import type { Message } from "./domain/records.ts";
import type { InitialState, Store } from "./domain/store.ts";
import { createGateway, guardHosts } from "./gateway.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { createHostCheck, type HostCheck, isLoopback } from "./http/hosts.ts";
import { type HttpServer, listen, type RequestHandler } from "./http/node.ts";
import { unreadable } from "./middleware/body.ts";
import { mailRules } from "./routes/accept.ts";
import { filledAt, initialState, isOtherSeed } from "./seed/apply.ts";
import { createDirectory, type Directory } from "./seed/directory.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import { createServices, type SandboxOptions } from "./services.ts";
import { openStore } from "./store/open.ts";
import { createClock, type SandboxClock } from "./time/clock.ts";
import { DueEngine } from "./time/due-engine.ts";

/** The time at which the examples of the document are valid: `clock: { startAt: Date.parse(exampleTime) }`. */
export { exampleTime } from "../generated/examples.ts";
export type { HandledRequest } from "./api/context.ts";
export type { Seed } from "./seed/seed.ts";
export type { SandboxOptions } from "./services.ts";

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
  /** The URL of the SMTP server that mail is relayed to, without its password; null without one. */
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
 *
 * @throws UserError when the seed, a host name, the data folder, the outbox folder or the URL of the SMTP server is invalid; Node's error
 * when the port cannot be opened
 */
export async function startSandbox(given?: SandboxOptions): Promise<Sandbox> {
  // JavaScript may pass null.
  const options = given ?? {};
  const seed = await loadSeed(options.seed);
  const store = await openStore(options.data);
  try {
    return await assemble(options, seed, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(options: SandboxOptions, seed: Seed, store: Store): Promise<Sandbox> {
  const { host = "127.0.0.1", onError = () => {} } = options;
  const isOwnHost = createHostCheck(host, options.allowHosts);
  const clock = createClock({ store, ...options.clock });
  const stateAtStart = (): InitialState =>
    initialState(seed, options.clock?.startAt ?? Date.now(), clock.atStart());
  if (!(await store.fill(stateAtStart()))) await clock.resume();
  const directoryOf = directoryAt(seed);
  const { simulatorDomain } = directoryOf(filledAt(store));
  const outbound = await outboundOf(options, { store, clock, simulatorDomain, onError });
  const services = createServices(options, {
    ...{ store, clock, outbound },
    get directory() {
      return directoryOf(filledAt(store));
    },
  });
  const { failures } = services;
  const app = createApp(services);
  let closing: Promise<void> | undefined;
  const rejectClosed = (): void => {
    if (closing !== undefined) throw new ClosedError();
  };
  const reset = async (): Promise<void> => {
    rejectClosed();
    const state = stateAtStart();
    await outbound.reset((settings) =>
      store.reset({ ...state, settings: { ...state.settings, ...settings } }),
    );
  };
  const access = { exposed: !isLoopback(host), control: options.control ?? false };
  const gateway = createGateway(Object.assign(services, { reset, ...access }), app, onError);
  const server = await serve(gateway, app, isOwnHost, { ...options, host });
  const engine = new DueEngine({ store, clock, rules: mailRules(services), outbound, onError });
  const closeAll = async () => {
    // Delayed requests get their responses now.
    failures.end();
    await server.close();
    // At the same time: the engine may be waiting for the SMTP server, and only `outbound.close` has a deadline.
    await Promise.all([engine.stop(), outbound.close()]);
    await store.close();
  };
  const { url } = server;
  const send = createFetch(gateway.handle, url);
  const fetch: Fetch = async (input, init) => {
    rejectClosed();
    return send(input, init);
  };
  const outbox = createOutbox(store);
  return {
    url,
    fetch,
    store,
    clock,
    outbox,
    failures,
    reset,
    smtp: outbound.smtp,
    keys: keysOf(seed),
    hasOtherSeed: isOtherSeed(store, seed),
    close: () => {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** The directory of a seed, which is another one after each reset. */
function directoryAt(seed: Seed): (filledAt: number) => Directory {
  let last: { at: number; directory: Directory } | undefined;
  return (at) => {
    if (last?.at !== at) last = { at, directory: createDirectory(seed, at) };
    return last.directory;
  };
}

/** Opens the port. Only here hosts are checked: `fetch` is called by this process, not by a web page. */
const serve = (
  gateway: RequestHandler,
  app: App,
  isOwnHost: HostCheck,
  { port = 0, host, requestTimeout = 60_000 }: SandboxOptions & { host: string },
): Promise<HttpServer> =>
  listen({
    ...guardHosts(gateway, app, isOwnHost),
    unreadable: (line, code) =>
      line === undefined
        ? app.renderError(unreadable(code))
        : gateway.handle({ ...line, headers: {}, body: null }),
    port,
    host,
    requestTimeout,
  });

/** Loaded only with the options for it: most sandboxes keep their mail and start faster without. */
async function outboundOf(
  { smtp, outbox: folder }: SandboxOptions,
  core: { store: Store; clock: SandboxClock; simulatorDomain: string; onError: (error: unknown) => void },
): Promise<Outbound> {
  if (smtp === undefined && folder === undefined) return noOutbound;
  const { openOutbound } = await import("./mail/outgoing.ts");
  return openOutbound({ ...core, smtp, folder });
}

const createOutbox = (store: Store): Outbox => ({
  messages: ({ accountId, limit = Number.MAX_SAFE_INTEGER } = {}) =>
    store.messages(accountId === undefined ? { limit } : { accountId, limit }),
  eml: async (message) => (await import("./mail/compose.ts")).compose(message),
});

const keysOf = ({ accounts }: Seed): Record<string, string> =>
  Object.fromEntries(accounts.flatMap(({ keys }) => keys.map(({ key, label = key }) => [label, key])));
