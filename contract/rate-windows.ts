import { integerHeader } from "./engine/rate-limiter.ts";
import { windowSeconds } from "./engine/run.ts";
import type { Tester } from "./engine/tester.ts";
import type { Plan } from "./plan.ts";
import recorded from "./recorded.json" with { type: "json" };
import { lightestRequest } from "./support/requests.ts";

const messageOf = (error: Error): string => error.message.replace(/\.$/, "");

/** Runs of fewer test cases hardly wait, unless they are sequences. */
const fewest = 30;

/** What a server reports of its rate limit before a run. */
export interface Windows {
  /** Requests per minute; undefined if no response reports it. */
  limit?: number | undefined;
  /** Whether the hook `advanceClock` opens a new window. */
  areOpened: boolean;
  /** Why the hook is of no use: it failed. */
  failure?: string;
}

/**
 * Finds out before a run whether the hook `advanceClock` also opens a new window of the rate limit: what a server does with it is unspecified.
 * Tried only if the run is to wait for the rate limit. From then on, the run advances the clock in place of waiting.
 */
export async function findWindows(tester: Tester, plan: Plan): Promise<Windows> {
  const { run, settings } = tester;
  const { profile, without } = settings;
  if (profile === "mock" || (profile !== "model" && plan.length < fewest)) return { areOpened: false };
  try {
    const before = await lightestRequest(tester);
    const limit = integerHeader(before, "limit");
    if (Number.isNaN(limit)) return { areOpened: false };
    const canAdvance = run.hooks.advanceClock !== undefined && !without.includes("clock");
    if (recorded.profiles[profile].requests > limit && canAdvance) {
      const failed = await tester.hook("advanceClock", { seconds: windowSeconds }).catch(messageOf);
      if (failed !== undefined) return { limit, areOpened: false, failure: failed };
      const after = await lightestRequest(tester);
      run.opensWindows = integerHeader(after, "left") >= integerHeader(before, "left");
    }
    return { limit, areOpened: run.opensWindows };
  } catch {
    // Checks report problems of these requests.
    return { areOpened: false };
  }
}
