/**
 * Which checks run. `mock`: those for a server that responds with examples. `core`: each requirement with few requests.
 * `email`, `newsletter`: all test cases of one product. `full`: all test cases. `model`: random sequences of requests only.
 */
export const profiles = ["mock", "core", "email", "newsletter", "full", "model"] as const;
export type Profile = (typeof profiles)[number];
/** The profiles of clients: those of servers without the mock and the model. */
export const profilesOfClients = ["core", "email", "newsletter", "full"] as const;
export type ClientProfile = (typeof profilesOfClients)[number];

/** `slow` takes minutes, `burst` uses up a rate limit, `clock` advances the server's clock. */
export const tags = ["slow", "burst", "clock"] as const;
export type Tag = (typeof tags)[number];

/** Settings that a correct server may be unable to have. */
const optionalSettings = ["mailbox", "pages", "attachmentHash"] as const satisfies (keyof Fixtures)[];
/** What a run can leave out: checks with a tag, and those that need a setting. */
export const omissible = [...tags, ...optionalSettings] as const;
export type Omissible = (typeof omissible)[number];
export const isOptionalSetting = (name: string): boolean =>
  (optionalSettings as readonly string[]).includes(name);

/** The roles of keys. Those up to `replaced` belong to the main account, each of the others to a separate one. */
export const roles = [
  "full",
  "second",
  "sendOnly",
  "readOnly",
  "manageOnly",
  "restricted",
  "revoked",
  "replaced",
  "otherAccount",
  "noPlan",
  "noNewsletter",
  "noDomain",
  "atCeiling",
  "burst",
  "quota",
] as const;
export type Role = (typeof roles)[number];
/** The roles whose keys belong to the main account. */
export const rolesOfMainAccount: readonly Role[] = roles.slice(0, roles.indexOf("replaced") + 1);
/** The account of a key, named by the first role that belongs to it. */
export const accountOf = (role: Role): Role => (rolesOfMainAccount.includes(role) ? "full" : role);

/** What the server has for testing, apart from keys. Checks whose fixture is missing are not verified. */
export interface Fixtures {
  /** The domain of the four simulated recipients. */
  simulatorDomain?: string;
  /** Domains to send from. */
  domains?: {
    /** One that the account has verified. */
    verified?: string;
    /** The one that the restricted key may send from. */
    restricted?: string;
    /** One of the account that has not finished verification. */
    unfinished?: string;
    /** One of the account that sending is stopped for. */
    stopped?: string;
    /** A verified domain of each other account, by role. */
    ofRole?: Partial<Record<Role, string>>;
  };
  /** Newsletter lists, by their ids. */
  lists?: {
    /** Without double opt-in. */
    plain?: number;
    /** Another one without double opt-in. */
    second?: number;
    doubleOptIn?: number;
    /** A list of another account. */
    otherAccount?: number;
  };
  /** The keys of custom fields, by their types. */
  fields?: { text?: string; number?: string; date?: string; url?: string };
  /** A published template, with values for all its variables. */
  template?: Template;
  /** A template that is not published. */
  unpublishedTemplate?: Template;
  /** Email addresses that sending has stopped to; at least three, one for each of `to`, `cc` and `bcc`. */
  suppressed?: string[];
  /** Contacts that no request can create. */
  contacts?: {
    /** In these states. The suite unsubscribes them; the hook `reset` restores them. */
    cleaned?: ConfiguredContact;
    complained?: ConfiguredContact;
    /** Of the account of the key `noNewsletter`, so that requests about it are wrong in nothing but the missing product. */
    noNewsletter?: ConfiguredContact;
  };
  /** The ids of messages that no request can create. */
  messages?: {
    /** Of the account of the key `noPlan`, scheduled when it had a plan. */
    noPlan?: string;
  };
  /** A domain with email addresses that the suite may send to; default: the simulated recipient `success`. */
  recipientDomain?: string;
  /** The domain of the contacts that the suite adds; they may get confirmation emails. */
  contactDomain?: string;
  /** A link that the server can download for an attachment. */
  attachmentLink?: string;
  /** The SHA-256 hash of the file at the link, in hexadecimal. */
  attachmentHash?: string;
  /** Where the suite serves such a file itself. It gives the run the link and the hash. */
  attachmentServer?: AttachmentServer;
  /** A list of the account API, with at least two items. Its paths are not documented. */
  pages?: { path: string };
  /** Where the mail of the server arrives. */
  mailbox?: MailboxSettings;
}

/** A port that the suite opens for HTTP, and the https URL that leads the server under test to it. */
interface AttachmentServer {
  port: number;
  /** The interface of the port; default: loopback. */
  host?: string;
  url: string;
}

/** Either a port that the suite opens for SMTP, or the URL of a mailbox with the API of Mailpit. */
interface MailboxSettings {
  smtp?: number;
  /** The interface of the port; default: loopback. */
  host?: string;
  mailpit?: string;
}

/** A template with values for its variables. */
interface Template {
  id: string;
  variables?: Record<string, unknown>;
}

interface ConfiguredContact {
  email: string;
  /** The id of a list that it is on. */
  list: number;
}

/** Seconds. */
export interface Deadlines {
  /** For a complete response. */
  response: number;
  /** From a send until the message reaches its final state. */
  delivery: number;
  /** Until a message of a batch, or a due message, is sent. */
  dispatch: number;
}

export const defaultDeadlines: Deadlines = { response: 30, delivery: 180, dispatch: 60 };

/** The random sequences of requests of a run. */
export interface SequenceSettings {
  sequences: number;
  /** In all. After this time, no further step is taken. */
  seconds: number;
  /** The same seed leads to the same sequences. */
  seed: number;
  /** The most steps of a sequence. */
  maxLength: number;
  /** Whether steps are left out of a sequence that does not match the model; default: true. */
  shorten?: boolean;
  /** The search ends with the last of so many failures of different requirements; default: 8. */
  failures?: number;
}

/** Other profiles than `model` have selected sequences, unless a user asks for another number or seed. */
export const defaultSequences = ({ profile }: Pick<Settings, "profile">): SequenceSettings =>
  profile === "model"
    ? { sequences: 120, seconds: 240, seed: 1, maxLength: 30 }
    : { sequences: 8, seconds: 40, seed: 1, maxLength: 30 };

/** A hook as an HTTP request. `{name}` in the URL or in a string of the body is replaced by a value. */
export interface HookRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What the operator of the server can do to it. Times are in seconds. */
export interface Hooks {
  /** Advances the server's clock, and returns after everything due by then has happened. */
  advanceClock(given: { seconds: number }): unknown;
  /** Follows the link in the confirmation email of a pending contact. */
  confirm(given: { email: string; list: number }): unknown;
  /** Stops sending to an email address. */
  suppress(given: { email: string }): unknown;
  /**
   * Restores the state from before the run. Called once, at the end of a run that called another hook or used the contacts of
   * the configuration; not if the run is interrupted.
   */
  reset(given: Record<never, never>): unknown;
  /** Makes the next requests fail: with a status, or with `cut` by closing the connection after the work is done. */
  failNext(given: { failure: "500" | "502" | "503" | "cut"; requests: number }): unknown;
}
export type HookName = keyof Hooks;
export const hookNames: readonly HookName[] = ["advanceClock", "confirm", "suppress", "reset", "failNext"];

/** The settings of a run. They can be cloned, and so passed to threads. */
export interface Settings {
  /** Without a slash at the end. */
  baseUrl: string;
  profile: Profile;
  /** Part of the names of everything the run creates. */
  runId: string;
  /** The API keys; no outcome contains them. */
  keys: Partial<Record<Role, string>>;
  /** Header values of hooks; no outcome contains them. */
  secrets?: string[];
  fixtures: Fixtures;
  deadlines: Deadlines;
  /** Hooks that are HTTP requests. */
  hooks: Partial<Record<HookName, HookRequest>>;
  /** The absolute path of a configuration module whose functions are hooks. */
  module?: string;
  /** Checks with one of these tags, or that need one of these settings, are outside the run. */
  without: Omissible[];
  /** Default: `defaultSequences`. */
  sequences?: Partial<SequenceSettings>;
}
