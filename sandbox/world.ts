import { type App, createApp } from "./app.ts";
import type { GatewayServices } from "./control/operation.ts";
import { ClosedError } from "./domain/closed.ts";
import { noOutbound, type Outbound } from "./domain/outbound.ts";
import type { InitialState, Store } from "./domain/store.ts";
import { createGateway } from "./gateway.ts";
import type { RequestHandler } from "./http/handler.ts";
import { Counts } from "./metrics/counts.ts";
import { mailRules } from "./routes/accept.ts";
import { filledAt, initialState, isOtherSeed } from "./seed/apply.ts";
import { createDirectory, type Directory } from "./seed/directory.ts";
import type { Seed } from "./seed/seed.ts";
import { createServices, type SandboxOptions } from "./services.ts";
import { createClock, type SandboxClock } from "./time/clock.ts";
import { DueEngine } from "./time/due-engine.ts";

/** What a world is made of. */
export interface WorldParts {
  seed: Seed;
  store: Store;
  /** Further settings of the store, which a reset keeps. */
  settings?: Readonly<Record<string, string>>;
  /** What the control API and the pages also need. */
  access: Pick<GatewayServices, "exposed" | "control" | "docs" | "workspaces" | "instance">;
  counts?: Counts;
}

/** A service with its state: accounts, mail, clock and failures. A sandbox has one, and one more in each workspace. */
export interface World {
  readonly services: GatewayServices;
  readonly app: App;
  readonly gateway: RequestHandler;
  readonly clock: SandboxClock;
  /** The URL of the SMTP server, without its password; null without one. */
  readonly smtp: string | null;
  /** Whether the store had the contacts and suppressions of another seed at the start. */
  readonly hasOtherSeed: boolean;
  /** Returns to the state after the start. */
  reset(): Promise<void>;
  /** Rejects resets, and lets delayed requests get their responses now. */
  stop(): void;
  /** Stops what is due and closes the store. */
  close(): Promise<void>;
}

/** Opens a world on its store, which it fills unless it has data. */
export async function openWorld(
  options: SandboxOptions,
  { seed, store, settings, access, counts = new Counts() }: WorldParts,
): Promise<World> {
  const { onError = () => {} } = options;
  const clock = createClock({ store, ...options.clock });
  const stateAtStart = (more = {}): InitialState =>
    initialState(seed, options.clock?.startAt ?? Date.now(), { ...settings, ...clock.atStart(), ...more });
  if (!(await store.fill(stateAtStart()))) await clock.resume();
  const directoryOf = directoryAt(seed);
  const { simulatorDomain } = directoryOf(filledAt(store));
  const outbound = await outboundOf(options, { store, clock, simulatorDomain, onError });
  let stopped = false;
  const reset = async (): Promise<void> => {
    if (stopped) throw new ClosedError();
    await outbound.reset((more) => store.reset(stateAtStart(more)));
  };
  const core = {
    ...{ store, clock, outbound, counts },
    get directory() {
      return directoryOf(filledAt(store));
    },
  };
  const services = Object.assign(createServices(options, core), { reset, seed, ...access });
  const app = createApp(services);
  const gateway = createGateway(services, app, onError);
  const onSteps = (steps: number): void => {
    counts.dueSteps += steps;
  };
  const engine = new DueEngine({ store, clock, rules: mailRules(services), outbound, onSteps, onError });
  return {
    ...{ services, app, gateway, clock, reset, smtp: outbound.smtp },
    hasOtherSeed: isOtherSeed(store, seed),
    stop() {
      stopped = true;
      services.failures.end();
    },
    async close() {
      services.failures.end();
      // At the same time: the engine may be waiting for the SMTP server, and only `outbound.close` has a deadline.
      await Promise.all([engine.stop(), outbound.close()]);
      await store.close();
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

/** Loaded only with the options for it: most sandboxes keep their mail and start faster without. */
async function outboundOf(
  { smtp, outbox: folder }: SandboxOptions,
  core: { store: Store; clock: SandboxClock; simulatorDomain: string; onError: (error: unknown) => void },
): Promise<Outbound> {
  if (smtp === undefined && folder === undefined) return noOutbound;
  const { openOutbound } = await import("./mail/outgoing.ts");
  return openOutbound({ ...core, smtp, folder });
}
