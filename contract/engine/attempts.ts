import type { ReportUnanswered } from "../../generated/schema-types.ts";
import type { Unreachable } from "./http.ts";

/** After so many tries without any response, no more requests are sent to an operation: each may take the whole deadline. */
const mostTries = 3;

/** The requests of a run by method and path template, and how many of them got no response. */
export class Attempts {
  readonly #byName = new Map<string, { tries: number; unanswered: number; last?: Unreachable }>();

  /** @throws Unreachable if an operation never responded */
  assertNotSilent(name: string): void {
    const { tries = 0, unanswered = 0, last } = this.#byName.get(name) ?? {};
    if (last !== undefined && unanswered >= mostTries && unanswered === tries) throw last;
  }

  /** @param error there was no response */
  note(name: string, error?: Unreachable): void {
    const { tries = 0, unanswered = 0, last = error } = this.#byName.get(name) ?? {};
    this.#byName.set(name, {
      tries: tries + 1,
      unanswered: unanswered + Number(error !== undefined),
      ...(last && { last }),
    });
  }

  /** Those that got no response at least once. */
  unanswered = (): ReportUnanswered[] =>
    [...this.#byName].flatMap(([request, { last, ...counts }]) =>
      last === undefined ? [] : [{ request, ...counts, reason: last.known.reason ?? last.message }],
    );
}
