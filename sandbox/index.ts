import { createApp } from "./app.ts";
import { createClock, type SandboxClock } from "./clock.ts";
import type { Failures } from "./control/failures.ts";
import { createDirectory } from "./directory.ts";
import { usualDelays } from "./domain/due.ts";
import { startDueEngine } from "./due-engine.ts";
import { createFrontLater, isLoopback } from "./front-later.ts";
import { createHandler } from "./handle.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { listen } from "./http/node.ts";
import { unreadable } from "./middleware/body.ts";
import type { SandboxOptions } from "./options.ts";
import { createParts } from "./parts.ts";
import { loadSeed } from "./seed/load.ts";
import { plantSeed } from "./seed/plant.ts";
import type { Seed } from "./seed/seed.ts";
import { createSentMail, type SentMail } from "./sent-mail.ts";
import { openStore } from "./store/sqlite.ts";
import type { Store } from "./store/store.ts";

export type { AnsweredCall } from "./exchange.ts";
export type { SandboxOptions } from "./options.ts";
export type { Seed } from "./seed/seed.ts";

/** A sandbox that runs. */
export interface Sandbox {
  /** Where it listens: the `base_url` of the service. */
  url: string;
  /** Like the global `fetch`, without a network; addresses without a host are the sandbox's own. */
  fetch: Fetch;
  /** Rules everything that takes time; advancing it resolves when all that was due has happened. */
  clock: SandboxClock;
  /** What was sent, or is going to be. */
  outbox: SentMail;
  store: Store;
  /** Failures that calls are to meet. */
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
 * @throws Mistake when the seed or the folder cannot be used, and Node's error when it cannot listen
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const seed = await loadSeed(options.seed);
  const store = openStore(options.data === undefined ? {} : { folder: options.data });
  try {
    return await assemble(options, seed, store);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function assemble(options: SandboxOptions, seed: Seed, store: Store): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", requestTimeout = 60_000, onError = () => {} } = options;
  const clock = createClock({ store, ...options.clock });
  const plant = async () => createDirectory(seed, await plantSeed(store, seed, clock.now()));
  const parts = createParts(options, { store, clock, directory: await plant() });
  const app = createApp(parts);
  const outbox = createSentMail(store);
  const { failures, delays = usualDelays } = parts;
  const reset = async () => {
    await store.reset();
    clock.reset();
    failures.clear();
    app.reset();
    parts.directory = await plant();
  };
  const exposed = !isLoopback(host);
  const control = options.control ?? false;
  const directory = () => parts.directory;
  const front = createFrontLater({ directory, store, clock, outbox, failures, reset, exposed, control });
  const handle = createHandler(app, front, onError);
  const refuseUnreadable = () => app.refuse(unreadable);
  const server = await listen({ handle, unreadable: refuseUnreadable, port, host, requestTimeout });
  const { simulatorDomain } = parts.directory;
  const engine = startDueEngine({ store, clock, rules: { simulatorDomain, delays }, onError });
  const { url } = server;
  const close = async () => {
    await server.close();
    await engine.stop();
    await store.close();
  };
  return {
    url,
    fetch: createFetch(handle, url),
    clock,
    outbox,
    store,
    failures,
    keys: keysOf(seed),
    reset,
    close,
  };
}

function keysOf(seed: Seed): Record<string, string> {
  const entries = seed.accounts.flatMap(({ keys }) =>
    keys.map(({ key, label = key }) => [label, key] as const),
  );
  return Object.fromEntries(entries);
}
