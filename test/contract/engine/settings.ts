/**
 * Which checks run. `mock`: what a server shows that answers with the example it is asked for. `core`: each promise once, in few
 * requests. `email`, `newsletter`: everything about one product, limits on both sides included. `full`: both.
 */
export const profiles = ["mock", "core", "email", "newsletter", "full"] as const;
export type Profile = (typeof profiles)[number];

/** What a check needs more of than others: time, the whole request limit of an account, or a clock that can be moved. */
export const tags = ["slow", "burst", "clock"] as const;
export type Tag = (typeof tags)[number];

/** What a key is for in the suite. Those up to `replaced` belong to one account, each of the others to one of its own. */
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
/** Those whose keys are all of one account. */
export const rolesOfMainAccount: readonly Role[] = roles.slice(0, roles.indexOf("replaced") + 1);

/** What there is on the server under test, apart from keys. Whatever is missing leaves its checks unverified. */
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
    /** A verified domain of the burst, quota and other accounts, by role. */
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
  template?: { id: string; variables?: Record<string, unknown> };
  /** Addresses that sending has stopped to. */
  suppressed?: string[];
  /** Contacts in states that no call leads to. They are unsubscribed by the suite, unless a hook resets the server. */
  contacts?: { cleaned?: { email: string; list: number }; complained?: { email: string; list: number } };
  /** A domain at which any address may be written to; the simulated recipient `success` stands for all where there is none. */
  recipientDomain?: string;
  /** The domain of the contacts that the suite adds: any address there may get a confirmation. */
  contactDomain?: string;
  /** A link that the server can download for an attachment. */
  attachmentLink?: string;
}

/** How long the suite waits, in seconds. */
export interface Deadlines {
  /** For the whole answer to a call. */
  response: number;
  /** From a send until its message has reached its last state. */
  delivery: number;
  /** Until a message of a batch, or one whose time has come, is on its way. */
  dispatch: number;
}

export const defaultDeadlines: Deadlines = { response: 30, delivery: 180, dispatch: 60 };

/** A call that does what a hook is to do. `{name}` stands for a value wherever it is in the URL or in a text of the body. */
export interface HookRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What someone who runs the server can do to it. Times are in seconds. */
export interface Hooks {
  /** Moves the clock of the server on, and returns when everything due by then has happened. */
  advanceClock(given: { seconds: number }): unknown;
  /** Follows the confirmation that a pending contact was sent. */
  confirm(given: { email: string; list: number }): unknown;
  /** Stops sending to an address. */
  suppress(given: { email: string }): unknown;
  /**
   * Puts everything back to where it was before the run. Called once, at the end of a run that called another hook or tried the
   * contacts of the configuration; not where a run is interrupted.
   */
  reset(given: Record<never, never>): unknown;
  /** Lets the next calls fail: with a status, or `cut`, when the work is done and the answer gets lost. */
  failNext(given: { failure: "500" | "502" | "503" | "cut"; requests: number }): unknown;
}
export type HookName = keyof Hooks;
export const hookNames: readonly HookName[] = ["advanceClock", "confirm", "suppress", "reset", "failNext"];

/** Everything a run is told. It can be cloned, so that it may cross threads. */
export interface Settings {
  /** Where the server is, without a slash at the end. */
  baseUrl: string;
  profile: Profile;
  /** Tells this run's objects from those of other runs. */
  runId: string;
  /** The API keys themselves; they never appear in an outcome. */
  keys: Partial<Record<Role, string>>;
  /** Other texts that never appear in an outcome: what headers of hooks hold. */
  secrets?: string[];
  fixtures: Fixtures;
  deadlines: Deadlines;
  /** Hooks that are calls, by name. */
  hooks: Partial<Record<HookName, HookRequest>>;
  /** The file of a configuration whose functions are hooks too, as an absolute path. */
  module?: string;
  /** Checks with one of these tags are not run. */
  without: Tag[];
}
