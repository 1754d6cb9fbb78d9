import type { OperationId } from "../../generated/operations.ts";
import {
  type Config,
  type ConfigHook,
  type omissible,
  type profiles,
  roles,
} from "../../generated/schema-types.ts";

// The schema of the configuration describes each setting.
export { hookNames, omissible, profiles, roles } from "../../generated/schema-types.ts";
export type Profile = (typeof profiles)[number];
/** The products that the operations of a profile belong to. */
export const productsOfProfile = (profile: Profile): readonly (string | null)[] =>
  profile === "email" || profile === "newsletter" ? [profile, null] : ["email", "newsletter", null];
/** The profiles of servers and clients alike: all but the mock and the model. */
export const commonProfiles = ["core", "email", "newsletter", "full"] as const;
export type CommonProfile = (typeof commonProfiles)[number];

/** `slow` takes minutes, `burst` uses up a rate limit, `clock` advances the server's clock. */
export const tags = ["slow", "burst", "clock"] as const;
export type Tag = (typeof tags)[number];

/** What a run can leave out: checks with a tag, and those that need a setting that a correct server may be unable to have. */
export type Omissible = (typeof omissible)[number];
/** Settings that change nothing in other responses of a run: without them it shows all the others. */
const separate: readonly string[] = ["mailbox", "pages", "attachmentHash"];
export const isOptionalSetting = (name: string): boolean => separate.includes(name);

/** The roles of keys. Those up to `replaced` belong to the main account, each of the others to a separate one. */
export type Role = (typeof roles)[number];
export const rolesOfMainAccount: readonly Role[] = roles.slice(0, roles.indexOf("replaced") + 1);
/** The account of a key, named by the first role that belongs to it. */
export const accountOf = (role: Role): Role => (rolesOfMainAccount.includes(role) ? "full" : role);

/** What the server has for testing, apart from keys: each setting of the schema that no other type here is for. */
export type Fixtures = Omit<Config, keyof Settings | "$schema" | "expectedFailures">;

/** Whether the configuration does not take an operation out of the run. */
export const isInRun = ({ notImplemented }: Pick<Settings, "notImplemented">, operation: string): boolean =>
  notImplemented?.some((one) => one === operation) !== true;

/** Seconds. */
export type Deadlines = Required<NonNullable<Config["deadlines"]>>;

export const defaultDeadlines: Deadlines = { response: 30, delivery: 180, dispatch: 60 };

/** The random sequences of requests of a run. */
export interface SequenceSettings {
  sequences: number;
  /** In all. After this time, no further step is taken. */
  seconds: number;
  /** Of the first sequence; each of the others has the next number. The same seed leads to the same sequences. */
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

/** A hook as an HTTP request, with its secrets. */
export interface HookRequest extends Omit<ConfigHook, "headers"> {
  headers?: Record<string, string>;
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

export interface Settings {
  /** Without a slash at the end. */
  baseUrl: string;
  /** What the server is, for readers of reports. */
  implementation?: Config["implementation"];
  profile: Profile;
  /** Part of the names of everything the run creates. */
  runId: string;
  /** The API keys; no outcome contains them. */
  keys: Partial<Record<Role, string>>;
  /** Header values of hooks; no outcome contains them. */
  secrets?: string[];
  fixtures: Fixtures;
  deadlines: Deadlines;
  hooks: { [Name in HookName]?: HookRequest | Hooks[Name] };
  /** Checks with one of these tags, or that need one of these settings, are outside the run. */
  without: Omissible[];
  /** These operations are outside the run: the server does not have them yet. */
  notImplemented?: readonly OperationId[];
  /** Default: `defaultSequences`. */
  sequences?: Partial<SequenceSettings>;
}
