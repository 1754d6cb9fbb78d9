import { type AnsweredCall, type App, createApp } from "./app.ts";
import { createClock, type SandboxClock } from "./clock.ts";
import { createFailures, type Failures } from "./control/failures.ts";
import { createDirectory } from "./directory.ts";
import { type Delays, usualDelays } from "./domain/due.ts";
import { startDueEngine } from "./due-engine.ts";
import type { ApiRequest, Parts } from "./exchange.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { type HttpAnswer, listen } from "./http/node.ts";
import { createIds } from "./ids.ts";
import { download } from "./mail/download.ts";
import { loadSeed } from "./seed/load.ts";
import { plantSeed } from "./seed/plant.ts";
import type { Seed } from "./seed/seed.ts";
import { openStore } from "./store/sqlite.ts";
import type { Store } from "./store/store.ts";

/** How a sandbox is to be. Everything may be left out. */
export interface SandboxOptions {
  /** The accounts: a seed, or the path of a file with one. The demo accounts when not given. */
  seed?: string | Seed;
  /** The folder in which everything is kept. In memory when not given. */
  data?: string;
  /** Whether the clock stands still between advances, and where it starts, in milliseconds. It runs from the real time on when not given. */
  clock?: { frozen?: boolean; startAt?: number };
  /** Where it listens; a free port of this machine's loopback when not given. */
  port?: number;
  host?: string;
  /** Whether links of attachments are really downloaded. */
  downloads?: boolean;
  /** What ids are made from: the same seed and the same calls give the same ids. */
  randomSeed?: string;
  /** How long mail takes, in milliseconds. */
  delays?: Partial<Delays>;
  /** Requests an account has in a minute, in place of the service's number. For measuring. */
  requestsPerMinute?: number;
  /** The longest that a request may take to come in, in milliseconds. */
  requestTimeout?: number;
  /** Told of every call of the API that was answered. */
  onCall?: (call: AnsweredCall) => void;
  /** Told of what went wrong inside. */
  onError?: (error: unknown) => void;
}

/** A sandbox that runs. */
export interface Sandbox {
  /** Where it listens: the `base_url` of the service. */
  url: string;
  /** Like the global `fetch`, without a network; addresses without a host are the sandbox's own. */
  fetch: Fetch;
  clock: SandboxClock;
  store: Store;
  failures: Failures;
  /** The keys of the seed by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Puts everything back to where the seed starts. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox of the service.
 *
 * @throws Mistake when the seed or the folder cannot be used
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const seed = await loadSeed(options.seed);
  const store = openStore(options.data === undefined ? {} : { folder: options.data });
  const clock = createClock({ store, ...options.clock });
  const directoryNow = async () => createDirectory(seed, await plantSeed(store, seed, clock.now()));
  const parts = partsOf(options, { store, clock, directory: await directoryNow() });
  const delays = { ...usualDelays, ...options.delays };
  const rules = { simulatorDomain: parts.directory.simulatorDomain, delays };
  const onError = options.onError ?? (() => {});
  const engine = startDueEngine({ store, clock, rules, onError });
  const app = createApp(parts);
  const handle = (request: ApiRequest): Promise<HttpAnswer> => app.answer(request);
  const { port = 0, host = "127.0.0.1", requestTimeout = 60_000 } = options;
  const server = await listen({ handle, unreadable: app.unreadable, port, host, requestTimeout });
  return {
    url: server.url,
    fetch: createFetch(handle, server.url),
    clock,
    store,
    failures: parts.failures,
    keys: keysOf(seed),
    async reset() {
      await reset(parts, app, clock);
      parts.directory = await directoryNow();
    },
    async close() {
      await server.close();
      await engine.stop();
      await store.close();
    },
  };
}

function partsOf(options: SandboxOptions, core: Pick<Parts, "store" | "clock" | "directory">): Parts {
  const { randomSeed = "sandbox", delays, requestsPerMinute, onCall, onError } = options;
  return {
    ...core,
    ids: createIds({ seed: randomSeed, store: core.store }),
    failures: createFailures(),
    delays: { ...usualDelays, ...delays },
    ...(options.downloads && { download: (link: string, maxBytes: number) => download(link, { maxBytes, timeoutMilliseconds: 20_000 }) }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(onCall !== undefined && { onCall }),
    ...(onError !== undefined && { onError }),
  };
}

async function reset({ store, failures }: Parts, app: App, clock: SandboxClock): Promise<void> {
  await store.reset();
  clock.reset();
  failures.clear();
  app.reset();
}

function keysOf(seed: Seed): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const { keys: ofAccount } of seed.accounts) {
    for (const { key, label = key } of ofAccount) keys[label] = key;
  }
  return keys;
}
