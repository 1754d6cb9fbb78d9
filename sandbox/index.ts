import { createApp } from "./app.ts";
import { createBodyLimit } from "./body-limit.ts";
import type { Failures } from "./control/failures.ts";
import type { Directory } from "./domain/directory.ts";
import { usualDelays } from "./domain/due.ts";
import type { Store } from "./domain/store.ts";
import { createLazyGateway, isLoopback } from "./front-later.ts";
import { createHandler } from "./handle.ts";
import { createFetch, type Fetch } from "./http/fetch.ts";
import { listen } from "./http/node.ts";
import { letMailOut } from "./mail/later.ts";
import type { Outgoing } from "./mail/outgoing.ts";
import { unreadable } from "./middleware/body.ts";
import type { SandboxOptions } from "./options.ts";
import { createServices } from "./parts.ts";
import { applySeed } from "./seed/apply.ts";
import { createDirectory } from "./seed/directory.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import { createSentMail, type SentMail } from "./sent-mail.ts";
import { openStore } from "./store/sqlite.ts";
import { createClock, type SandboxClock } from "./time/clock.ts";
import { startDueEngine } from "./time/due-engine.ts";

export type { HandledRequest } from "./api/context.ts";
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
  /** The SMTP server that mail is handed over to, without its password; null when nothing leaves. */
  smtp: string | null;
  /** The keys of the seed by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Puts everything back to where the seed starts. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a sandbox of the service.
 *
 * @throws UserError when the seed, the folder or the SMTP server's address cannot be used, and Node's error when it cannot listen
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const seed = await loadSeed(options.seed);
  const kept = openStore(options.data === undefined ? {} : { folder: options.data });
  try {
    const clock = createClock({ store: kept, ...options.clock });
    const directory = createDirectory(seed, await applySeed(kept, seed, clock.now()));
    const { simulatorDomain } = directory;
    const { onError = () => {} } = options;
    const outgoing = await letMailOut(options, { store: kept, clock, simulatorDomain, onError });
    return await assemble(options, seed, { clock, directory, outgoing });
  } catch (error) {
    await kept.close();
    throw error;
  }
}

/** What a sandbox is assembled from. */
interface Core {
  clock: SandboxClock;
  directory: Directory;
  outgoing: Outgoing;
}

async function assemble(options: SandboxOptions, seed: Seed, core: Core): Promise<Sandbox> {
  const { port = 0, host = "127.0.0.1", requestTimeout = 60_000, onError = () => {} } = options;
  const { clock, outgoing } = core;
  const { store } = outgoing;
  const parts = createServices(options, { store, clock, directory: core.directory });
  const { failures, delays = usualDelays } = parts;
  const app = createApp(parts);
  const outbox = createSentMail(store);
  const reset = async () => {
    app.leave();
    await store.reset();
    clock.reset();
    failures.clear();
    app.reset();
    parts.directory = createDirectory(seed, await applySeed(store, seed, clock.now()));
  };
  const directory = () => parts.directory;
  const access = { exposed: !isLoopback(host), control: options.control ?? false };
  const front = createLazyGateway({ directory, store, clock, outbox, failures, reset, ...access });
  const handle = createHandler(app, front, onError);
  const server = await listen({
    handle,
    bodyLimit: createBodyLimit(parts),
    unreadable: () => app.refuse(unreadable),
    port,
    host,
    requestTimeout,
  });
  const { simulatorDomain } = core.directory;
  const engine = startDueEngine({ store, clock, rules: { simulatorDomain, delays }, onError });
  const close = async () => {
    // Whoever is held up on purpose is answered now: the end does not wait for so long.
    failures.end();
    await server.close();
    // Side by side: what is due may be waiting for the SMTP server, for which the end has a deadline.
    await Promise.all([engine.stop(), outgoing.close()]);
    await store.close();
  };
  const { url } = server;
  const { smtp } = outgoing;
  const keys = keysOf(seed);
  return { url, fetch: createFetch(handle, url), clock, outbox, store, failures, smtp, keys, reset, close };
}

function keysOf(seed: Seed): Record<string, string> {
  const entries = seed.accounts.flatMap(({ keys }) =>
    keys.map(({ key, label = key }) => [label, key] as const),
  );
  return Object.fromEntries(entries);
}
