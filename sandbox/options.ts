import type { HandledRequest } from "./api/context.ts";
import type { Delays } from "./domain/due.ts";
import type { RequestLimits } from "./middleware/rate.ts";
import type { Seed } from "./seed/seed.ts";

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
  /** Whether control calls and pages are open to other machines too. They are always open to this one when it listens on loopback. */
  control?: boolean;
  /** The SMTP server that mail is handed over to, `smtp://host:port`. Nothing leaves the sandbox when not given. */
  smtp?: string;
  /** A folder that each message is written to as `<id>.eml` once it is sent. A reset takes the messages away again, and nothing else. */
  outbox?: string;
  /** Whether links of attachments are really downloaded. */
  downloads?: boolean;
  /** What ids are made from: the same seed and the same calls give the same ids. */
  randomSeed?: string;
  /** How long mail takes, in milliseconds. */
  delays?: Partial<Delays>;
  /** How many requests accounts have in a minute, in place of the service's number: all of them, or some by their ids. */
  requestsPerMinute?: RequestLimits;
  /** The longest that a request may take to come in, in milliseconds. */
  requestTimeout?: number;
  /** Told of every call of the API that was answered. */
  onRequest?: (call: HandledRequest) => void;
  /** Told of what went wrong inside. */
  onError?: (error: unknown) => void;
}
