import type { Failures } from "./api/failures.ts";
import type { Instance } from "./control/operation.ts";
import { ClosedError } from "./domain/closed.ts";
import type { Message } from "./domain/records.ts";
import type { Store } from "./domain/store.ts";
import { createRejection } from "./gateway.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { isLoopback } from "./http/hosts.ts";
import { Counts } from "./metrics/counts.ts";
import { openPort, type Port } from "./port.ts";
import type { RemoteOptions, RemoteSandbox } from "./remote.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import type { SandboxOptions } from "./services.ts";
import { isStoreFailure } from "./store/failure.ts";
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
  /** The folder of the data, or the URL of the database without its password; null in memory. */
  data: string | null;
  /** The URL of the SMTP server that mail is relayed to, without its password; null without one. */
  smtp: string | null;
  /** The keys of the seed by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Whether the data folder had the contacts and suppressions of another seed at the start. A reset loads those of this one. */
  hasOtherSeed: boolean;
  /** Returns to the state after the start with this seed. */
  reset(): Promise<void>;
  /** From now on, `GET /health/ready` responds with 503, so that a load balancer sends nothing more. Requests are served until `close`. */
  drain(): void;
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

async function startOwn(given: SandboxOptions): Promise<Sandbox> {
  const counts = new Counts();
  const onError = (error: unknown): void => {
    if (isStoreFailure(error)) counts.storeErrors += 1;
    given.onError?.(error);
  };
  const options = { ...given, onError };
  const seed = await loadSeed(options.seed);
  const port = await openPort(options);
  try {
    const stores = await openStores(options.data, onError);
    return await openIn(stores, { options, seed, port, counts }).catch(async (error) => {
      await stores.close();
      throw error;
    });
  } catch (error) {
    await port.close();
    throw error;
  }
}

/** What a sandbox has before its store. */
interface Start {
  options: SandboxOptions & { onError(error: unknown): void };
  seed: Seed;
  port: Port;
  counts: Counts;
}

async function openIn(stores: Stores, start: Start): Promise<Sandbox> {
  const store = await stores.open(ownStore);
  return assemble(start, store, stores).catch(async (error) => {
    await store.close();
    throw error;
  });
}

async function assemble(
  { options, seed, port, counts }: Start,
  store: Store,
  stores: Stores,
): Promise<Sandbox> {
  const { host = "127.0.0.1", control = false } = options;
  const instance: Instance = { phase: "starting", counts };
  const access = { exposed: !isLoopback(host), control };
  const workspaces = openWorkspaces(options, { ...{ stores, seed, counts }, access });
  const world = await openWorld(options, {
    ...{ seed, store, counts },
    access: { ...access, workspaces, instance },
  });
  const gateway = routeWorkspaces(world.gateway, workspaces, createRejection(world.app, options.onError));
  port.serve(gateway, world.app);
  workspaces.start();
  instance.phase = "running";
  let closing: Promise<void> | undefined;
  const rejectClosed = (): void => {
    if (closing !== undefined) throw new ClosedError();
  };
  const drain = (): void => {
    instance.phase = "closing";
  };
  const closeAll = async (): Promise<void> => {
    drain();
    world.end();
    await workspaces.end();
    await port.close();
    try {
      await Promise.all([world.close(), workspaces.close()]);
    } finally {
      await stores.close();
    }
  };
  const send = createFetch(gateway.handle, port.url);
  const { clock, services, smtp, hasOtherSeed } = world;
  return {
    ...{
      url: port.url,
      data: stores.shown,
      store,
      clock,
      smtp,
      hasOtherSeed,
      drain,
      failures: services.failures,
    },
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
  options: Start["options"],
  {
    stores,
    seed,
    counts,
    access,
  }: Required<Pick<WorldParts, "seed" | "counts" | "access">> & { stores: Stores },
): Workspaces {
  const { smtp: _, outbox: __, ...own } = options;
  return new Workspaces({
    ...{ stores, seed, onError: own.onError },
    openWorld: (given, parts) => openWorld({ ...own, ...given }, { ...parts, access, counts }),
  });
}

const createOutbox = (store: Store): Outbox => ({
  messages: ({ accountId, limit = Number.MAX_SAFE_INTEGER } = {}) =>
    store.messages(accountId === undefined ? { limit } : { accountId, limit }),
  eml: async (message) => (await import("./mail/compose.ts")).compose(message),
});

const keysOf = ({ accounts }: Seed): Record<string, string> =>
  Object.fromEntries(accounts.flatMap(({ keys }) => keys.map(({ key, label = key }) => [label, key])));
