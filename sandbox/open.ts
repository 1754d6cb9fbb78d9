import type { Instance } from "./control/operation.ts";
import { ClosedError } from "./domain/closed.ts";
import type { Store } from "./domain/store.ts";
import { createFetch } from "./http/fetch.ts";
import { isLoopback } from "./http/hosts.ts";
import { Counts } from "./metrics/counts.ts";
import { openPort, type Port } from "./port.ts";
import type { Outbox, Sandbox } from "./sandbox.ts";
import { loadSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import type { SandboxOptions } from "./services.ts";
import { sharedOptions } from "./shared-options.ts";
import { isStoreFailure } from "./store/failure.ts";
import { checkLocation, openStores } from "./store/open.ts";
import { Recovery } from "./store/recovery.ts";
import { ownStore, type Stores } from "./store/stores.ts";
import { routeWorkspaces } from "./workspace-router.ts";
import { Workspaces } from "./workspaces/workspaces.ts";
import { openWorld, type World, type WorldParts } from "./world.ts";

/** Opens a sandbox: its port first, then its store. */
export async function openSandbox(given: SandboxOptions): Promise<Sandbox> {
  const counts = new Counts();
  const recovery = new Recovery(given.onRecovery);
  const onError = (error: unknown): void => {
    // Of work in the background that the end has interrupted.
    if (error instanceof ClosedError) return;
    if (isStoreFailure(error)) {
      counts.storeErrors += 1;
      recovery.failed();
    }
    given.onError?.(error);
  };
  const options = { ...given, onError };
  const seed = await loadSeed(options.seed);
  await checkLocation(options);
  const port = await openPort(options);
  try {
    const stores = await openStores(options);
    return await openIn(stores, { options, seed, port, counts, recovery }).catch(async (error) => {
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
  recovery: Recovery;
}

async function openIn(stores: Stores, start: Start): Promise<Sandbox> {
  await stores.agree(sharedOptions(start.options, start.seed));
  const store = await stores.open(ownStore);
  return assemble(start, store, stores).catch(async (error) => {
    await store.close();
    throw error;
  });
}

async function assemble(start: Start, store: Store, stores: Stores): Promise<Sandbox> {
  const { options, seed, port, recovery } = start;
  const { instance, world, workspaces } = await openWorlds(start, store, stores);
  const gateway = routeWorkspaces(world, workspaces, options.onError);
  port.serve(gateway, world.app);
  recovery.watch(store);
  workspaces.start();
  instance.phase = "running";
  let closing: Promise<void> | undefined;
  const rejectClosed = (): void => {
    if (closing !== undefined) throw new ClosedError();
  };
  const drain = (): void => {
    instance.phase = "closing";
  };
  const send = createFetch(gateway.handle, port.url);
  const { clock, services, smtp, hasOtherSeed } = world;
  return {
    ...{ url: port.url, data: stores.shown, keys: keysOf(seed), store, outbox: createOutbox(store) },
    ...{ clock, smtp, hasOtherSeed, drain, failures: services.failures },
    async fetch(input, init) {
      rejectClosed();
      return send(input, init);
    },
    async reset() {
      rejectClosed();
      await world.reset();
    },
    close() {
      drain();
      closing ??= closeAll(start, stores, { world, workspaces });
      return closing;
    },
  };
}

interface Worlds {
  world: World;
  workspaces: Workspaces;
}

async function openWorlds(
  { options, seed, counts }: Start,
  store: Store,
  stores: Stores,
): Promise<Worlds & { instance: Instance }> {
  const { host = "127.0.0.1", control = false, docs } = options;
  const instance: Instance = { phase: "starting", counts };
  const access = { exposed: !isLoopback(host), control, ...(docs !== undefined && { docs }) };
  const workspaces = openWorkspaces(options, { ...{ stores, seed, counts }, access });
  const parts = { seed, store, counts, access: { ...access, workspaces, instance } };
  return { instance, workspaces, world: await openWorld(options, parts) };
}

async function closeAll(
  { port, recovery }: Start,
  stores: Stores,
  { world, workspaces }: Worlds,
): Promise<void> {
  recovery.stop();
  world.stop();
  await workspaces.stop();
  await port.close();
  try {
    await Promise.all([world.close(), workspaces.close()]);
  } finally {
    await stores.close();
  }
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
