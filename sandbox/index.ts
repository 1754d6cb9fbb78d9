import type { Failures } from "./api/failures.ts";
import type { App } from "./app.ts";
import { ClosedError } from "./domain/closed.ts";
import type { Message } from "./domain/records.ts";
import type { Store } from "./domain/store.ts";
import { guardHosts } from "./gateway.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { createHostCheck, type HostCheck, isLoopback } from "./http/hosts.ts";
import { type HttpServer, listen, type RequestHandler } from "./http/node.ts";
import { unreadable } from "./middleware/body.ts";
import type { RemoteOptions, RemoteSandbox } from "./remote.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import type { SandboxOptions } from "./services.ts";
import { openStores } from "./store/open.ts";
import { ownStore, type Stores } from "./store/stores.ts";
import type { SandboxClock } from "./time/clock.ts";
import { routeWorkspaces } from "./workspace-router.ts";
import { Workspaces } from "./workspaces/workspaces.ts";
import { openWorld, type WorldParts } from "./world.ts";

/** The time at which the examples of the document are valid: `clock: { startAt: Date.parse(exampleTime) }`. */
export { exampleTime } from "../generated/examples.ts";
export type { HandledRequest } from "./api/context.ts";
export type { Message } from "./domain/records.ts";
export type { RemoteMessage, RemoteOptions, RemoteSandbox } from "./remote.ts";
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
export function startSandbox(options?: SandboxOptions): Promise<Sandbox>;
/**
 * Creates a workspace of a running sandbox, which may be on another machine.
 *
 * @throws UserError if the sandbox cannot be reached or rejects it
 */
export function startSandbox(options: RemoteOptions): Promise<RemoteSandbox>;
export async function startSandbox(given?: SandboxOptions | RemoteOptions): Promise<Sandbox | RemoteSandbox> {
  // JavaScript may pass null.
  const options = given ?? {};
  return "at" in options ? (await import("./remote.ts")).openRemote(options) : startOwn(options);
}

async function startOwn(options: SandboxOptions): Promise<Sandbox> {
  const seed = await loadSeed(options.seed);
  const stores = await openStores(options.data);
  try {
    const store = await stores.open(ownStore);
    return await assemble(options, seed, store, stores).catch(async (error) => {
      await store.close();
      throw error;
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function assemble(options: SandboxOptions, seed: Seed, store: Store, stores: Stores): Promise<Sandbox> {
  const { host = "127.0.0.1" } = options;
  const isOwnHost = createHostCheck(host, options.allowHosts);
  const access = { exposed: !isLoopback(host), control: options.control ?? false };
  const workspaces = openWorkspaces(options, { stores, seed, access });
  const world = await openWorld(options, { seed, store, access: { ...access, workspaces } });
  const gateway = routeWorkspaces(world.gateway, workspaces);
  const server = await serve(gateway, world.app, isOwnHost, { ...options, host }).catch(async (error) => {
    await world.close();
    throw error;
  });
  workspaces.start();
  let closing: Promise<void> | undefined;
  const rejectClosed = (): void => {
    if (closing !== undefined) throw new ClosedError();
  };
  const closeAll = async (): Promise<void> => {
    world.end();
    await workspaces.end();
    await server.close();
    await Promise.all([world.close(), workspaces.close()]);
    await stores.close();
  };
  const send = createFetch(gateway.handle, server.url);
  const { clock, services, smtp, hasOtherSeed } = world;
  return {
    ...{ url: server.url, store, clock, smtp, hasOtherSeed, failures: services.failures },
    async fetch(input, init) {
      rejectClosed();
      return send(input, init);
    },
    outbox: createOutbox(store),
    async reset() {
      rejectClosed();
      await world.reset();
    },
    keys: keysOf(seed),
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Mail stays in the outbox of its workspace. */
function openWorkspaces(
  options: SandboxOptions,
  { stores, seed, access }: { stores: Stores; seed: Seed; access: WorldParts["access"] },
): Workspaces {
  const { smtp: _, outbox: __, onError, ...rest } = options;
  const own = onError === undefined ? rest : { ...rest, onError };
  return new Workspaces({
    ...{ stores, seed, onError: onError ?? (() => {}) },
    openWorld: (given, parts) => openWorld({ ...own, ...given }, { ...parts, access }),
  });
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

const createOutbox = (store: Store): Outbox => ({
  messages: ({ accountId, limit = Number.MAX_SAFE_INTEGER } = {}) =>
    store.messages(accountId === undefined ? { limit } : { accountId, limit }),
  eml: async (message) => (await import("./mail/compose.ts")).compose(message),
});

const keysOf = ({ accounts }: Seed): Record<string, string> =>
  Object.fromEntries(accounts.flatMap(({ keys }) => keys.map(({ key, label = key }) => [label, key])));
