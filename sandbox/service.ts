import type { HandledRequest, RequestLimits, Services } from "./api/context.ts";
import { createIds } from "./api/ids.ts";
import { createRecentRequests } from "./api/recent.ts";
import { createFailures } from "./api/simulated-failure.ts";
import { createApp } from "./app.ts";
import type { GatewayServices } from "./control/operation.ts";
import { type Delays, noOutbound, type Outbound, usualDelays } from "./domain/due.ts";
import { ClosedError, type InitialState, type Store } from "./domain/store.ts";
import { createGateway } from "./gateway.ts";
import { createDirectory, type Directory } from "./seed/directory.ts";
import { filledAt, initialState, isOtherSeed } from "./seed/load.ts";
import type { Seed } from "./seed/seed.ts";
import { SandboxClock } from "./time/clock.ts";
import { startDueEngine } from "./time/due-engine.ts";

export interface SandboxOptions {
  /** The accounts: a seed, or the path of a file with one. Default: the demo accounts. */
  seed?: string | Seed;
  /** The folder of an SQLite database, or the URL of a PostgreSQL database. Default: in memory. */
  data?: string;
  /** The most mebibytes of messages, of logged requests and of idempotency keys each, without `data`: beyond it the oldest go. Default: 64. */
  memory?: number;
  /** `frozen`: the clock moves only when it is advanced. `startAt`, in milliseconds; default: the real time. */
  clock?: { frozen?: boolean; startAt?: number };
  /** Default: a free port of the loopback interface. */
  port?: number;
  host?: string;
  /**
   * Further host names that requests may be sent to, such as that of a proxy. IP addresses and localhost are always allowed; on a network,
   * so are private names.
   */
  allowHosts?: readonly string[];
  /** The URL of the reference site: the log, as text, and the pages link errors to it. */
  docs?: string;
  /** Opens the control API and the pages to other machines. On loopback they are always open. */
  control?: boolean;
  /** The SMTP server that mail is sent to, `smtp://host:port`. Default: no mail leaves the sandbox. */
  smtp?: string;
  /** A folder that each message is written to as `<id>.eml` once it is sent. A reset removes these files, and no others. Not with a PostgreSQL database. */
  outbox?: string;
  /** Whether linked attachments are downloaded. */
  downloads?: boolean;
  /** The seed of all ids: the same seed and the same requests give the same ids. */
  randomSeed?: string;
  /** How long delivery takes, in milliseconds. */
  delays?: Partial<Delays>;
  /** Replaces the service's limit: for all accounts, or by account id. */
  requestsPerMinute?: RequestLimits;
  /** The longest that a request may take to come in, in milliseconds. */
  requestTimeout?: number;
  /** Gets every request to the API with its response. */
  onRequest?: (request: HandledRequest) => void;
  /** Gets the sandbox's own errors. */
  onError?: (error: unknown) => void;
}

export interface ServiceParts {
  seed: Seed;
  store: Store;
  /** What the control API and the pages also need. */
  access: Pick<GatewayServices, "exposed" | "control" | "docs">;
}

/** The email service without a socket, with its state: accounts, mail, clock and failures. */
export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens the service on its store, which it fills unless it has data. */
export async function openService(options: SandboxOptions, { seed, store, access }: ServiceParts) {
  const { onError = () => {}, onRequest, requestsPerMinute } = options;
  const clock = new SandboxClock({ store, ...options.clock });
  const stateAtStart = (): InitialState =>
    initialState(seed, options.clock?.startAt ?? Date.now(), clock.atStart());
  if (!(await store.fill(stateAtStart()))) await clock.resume();
  const directoryOf = directoryAt(seed);
  const { simulatorDomain } = directoryOf(filledAt(store));
  const outbound = await outboundOf(options, { store, clock, simulatorDomain, onError });
  let stopped = false;
  const reset = async (): Promise<void> => {
    if (stopped) throw new ClosedError();
    await outbound.reset(() => store.reset(stateAtStart()));
  };
  const services = {
    ...{ store, clock, outbound, reset, seed, ...access },
    get directory() {
      return directoryOf(filledAt(store));
    },
    ids: createIds({ seed: options.randomSeed ?? "sandbox", store }),
    failures: createFailures(store),
    recent: createRecentRequests(store),
    mailRules: { simulatorDomain, delays: { ...usualDelays, ...options.delays } },
    ...(options.downloads && { download }),
    ...{ requestsPerMinute, onRequest, onError },
  };
  const app = createApp(services);
  const gateway = createGateway(services, app, onError);
  const engine = startDueEngine({ store, clock, rules: services.mailRules, outbound, onError });
  return {
    ...{ services, app, gateway, clock, reset },
    smtp: outbound.smtp,
    hasOtherSeed: isOtherSeed(store, seed),
    /** Rejects resets, and lets delayed requests get their responses now. */
    stop() {
      stopped = true;
      services.failures.end();
    },
    /** Stops what is due and closes the store. */
    async close() {
      services.failures.end();
      // At the same time: the engine may be waiting for the SMTP server, and only `outbound.close` has a deadline.
      await Promise.all([engine.stop(), outbound.close()]);
      await store.close();
    },
  };
}

/** The longest that a download may take, in milliseconds of real time. */
const downloadTimeout = 20_000;

/** Loaded with the first link: few sandboxes download anything. */
const download: NonNullable<Services["download"]> = async (link, maxBytes) => {
  const mail = await import("./mail/download.ts");
  return mail.download(link, { maxBytes, timeoutMilliseconds: downloadTimeout });
};

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
  const { openOutbound } = await import("./mail/outbound.ts");
  return openOutbound({ ...core, smtp, folder });
}
