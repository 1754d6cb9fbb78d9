import { describe, test } from "vitest";
import { settings } from "./settings.ts";

/** One trial of a law: a case in which it must hold. */
export interface Trial {
  title: string;
  run(): Promise<void>;
}

/**
 * A check: a law of the service, and the trials in which it must hold.
 *
 * @param ids the requirements it verifies, written out in the call, so that the trace finds them
 * @param law what holds, as a sentence without a full stop
 * @throws Error when there is no trial with the mock, which gives any answer: such a check would hold of anything
 */
export function check(ids: string | string[], law: string, trials: Trial[]): void {
  if (trials.length === 0) {
    if (settings.profile === "mock") throw new Error(`${[ids].flat().join(" ")} has nothing to try: ${law}`);
    leftOut(ids, law, "One key on a server that works does not lead to such an answer.");
    return;
  }
  describe(nameOf(ids, law), () => {
    for (const { title, run } of trials) test.concurrent(title, run);
  });
}

/** A law that this profile cannot try, and why; the reason is part of the report. */
export function leftOut(ids: string | string[], law: string, reason: string): void {
  test(nameOf(ids, law), (context) => context.skip(reason));
}

const nameOf = (ids: string | string[], law: string): string => `${[ids].flat().join(" ")} ${law}`;
