import { hash } from "node:crypto";
import { latest, writeTime } from "./domain/times.ts";
import type { Seed } from "./seed/seed.ts";
import type { SandboxOptions } from "./services.ts";

/**
 * The options that all instances on a database must have, by the names that people know: one with another seed would reject the keys of the
 * others, and a frozen clock stands still for all of them.
 */
export function sharedOptions(options: SandboxOptions, seed: Seed): Record<string, string> {
  const { clock = {}, randomSeed, smtp, downloads = false, delays, requestsPerMinute } = options;
  const given: Record<string, unknown> = {
    ...seedOptions(seed),
    ...{ frozen: clock.frozen === true, "start-at": timeOf(clock.startAt) },
    ...{ "random-seed": randomSeed, smtp: smtp && digest(smtp), downloads },
    ...{ delays: delays && JSON.stringify(delays) },
    "requests-per-minute": requestsPerMinute && JSON.stringify(requestsPerMinute),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** Begins the name of the option that stands for one account of the seed. */
export const accountOption = "account ";

/** By account: what differs has a name. */
const seedOptions = ({ accounts, simulatorDomain }: Seed): Record<string, string | undefined> => ({
  "accounts of the seed": accounts.map(({ id }) => id).join(", "),
  "simulator domain of the seed": simulatorDomain,
  ...Object.fromEntries(
    accounts.map((account) => [accountOption + account.id, digest(JSON.stringify(account))]),
  ),
});

/** As people write it, without milliseconds that are zero. An invalid time is rejected later. */
const timeOf = (at: number | undefined): string | undefined =>
  at !== undefined && Math.abs(at) <= latest ? writeTime(at).replace(".000Z", "Z") : at?.toString();

/** What is long, or may have a password. */
const digest = (text: string): string => `sha256:${hash("sha256", text)}`;
