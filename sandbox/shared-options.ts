import { hash } from "node:crypto";
import type { Seed } from "./seed/seed.ts";
import type { SandboxOptions } from "./services.ts";

/**
 * The options that all instances on a database must have, by the names that people know: one with another seed would reject the keys of the
 * others, and a frozen clock stands still for all of them.
 */
export function sharedOptions(options: SandboxOptions, seed: Seed): Record<string, string> {
  const { clock = {}, randomSeed, smtp, downloads = false, delays, requestsPerMinute } = options;
  const given: Record<string, unknown> = {
    ...{ seed: digest(JSON.stringify(seed)), frozen: clock.frozen === true, "start-at": clock.startAt },
    ...{ "random-seed": randomSeed, smtp: smtp && digest(smtp), downloads },
    ...{ delays: delays && JSON.stringify(delays) },
    "requests-per-minute": requestsPerMinute && JSON.stringify(requestsPerMinute),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** What is long, or may have a password. */
const digest = (text: string): string => `sha256:${hash("sha256", text)}`;
