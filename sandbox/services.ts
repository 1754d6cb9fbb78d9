import type { HandledRequest, RequestLimits, Services } from "./api/context.ts";
import { createFailures } from "./api/failures.ts";
import { createRecentRequests } from "./api/recent.ts";
import { type Delays, usualDelays } from "./domain/due.ts";
import { noOutbound } from "./domain/outbound.ts";
import { Counts } from "./metrics/counts.ts";
import type { Seed } from "./seed/seed.ts";
import { createIds } from "./store/ids.ts";

/** The options of a sandbox; all are optional. */
export interface SandboxOptions {
  /** The accounts: a seed, or the path of a file with one. Default: the demo accounts. */
  seed?: string | Seed;
  /** The folder of an SQLite database, the URL of a PostgreSQL database, or `postgres:embedded`. Default: in memory. */
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
  /** The SMTP server that mail is relayed to, `smtp://host:port`. Default: no mail leaves the sandbox. */
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
  /** Gets how long the store failed, in milliseconds, once it works again. */
  onRecovery?: (milliseconds: number) => void;
}

/** The longest that a download may take, in milliseconds of real time. */
const downloadTimeout = 20_000;

/** Creates the services of the API. */
export function createServices(
  options: SandboxOptions,
  core: Pick<Services, "store" | "clock" | "directory"> & Partial<Pick<Services, "outbound" | "counts">>,
): Services {
  const { randomSeed = "sandbox", delays, downloads, requestsPerMinute, onRequest, onError } = options;
  return {
    outbound: noOutbound,
    counts: new Counts(),
    ...core,
    get directory() {
      return core.directory;
    },
    ids: createIds({ seed: randomSeed, store: core.store }),
    failures: createFailures(core.store),
    recent: createRecentRequests(core.store),
    delays: { ...usualDelays, ...delays },
    ...(downloads && { download }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(onRequest !== undefined && { onRequest }),
    ...(onError !== undefined && { onError }),
  };
}

/** Loaded with the first link: few sandboxes download anything. */
const download: NonNullable<Services["download"]> = async (link, maxBytes) => {
  const mail = await import("./mail/download.ts");
  return mail.download(link, { maxBytes, timeoutMilliseconds: downloadTimeout });
};
