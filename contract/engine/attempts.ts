import type { ReportUnanswered } from "../../generated/schema-types.ts";
import { inShort } from "../text.ts";
import type { Unreachable } from "./http.ts";

/** After so many tries without any response, no more requests are sent to an operation: each may take the whole deadline. */
const mostTries = 3;

/** The requests of a run by method and path template, and the errors of those that got no response. */
export class Attempts {
  readonly #byName = new Map<string, { tries: number; errors: Unreachable[] }>();

  /** @throws Unreachable if an operation never responded */
  assertNotSilent(name: string): void {
    const { tries = 0, errors = [] } = this.#byName.get(name) ?? {};
    if (errors.length >= mostTries && errors.length === tries) throw errors[0];
  }

  /** @param error there was no response */
  note(name: string, error?: Unreachable): void {
    const { tries = 0, errors = [] } = this.#byName.get(name) ?? {};
    if (error !== undefined) errors.push(error);
    this.#byName.set(name, { tries: tries + 1, errors });
  }

  /** Those that got no response at least once. */
  unanswered = (): ReportUnanswered[] =>
    [...this.#byName].flatMap(([request, { tries, errors }]) =>
      errors.length === 0 ? [] : [{ request, tries, unanswered: errors.length, reason: reasonsOf(errors) }],
    );
}

const reasonsOf = (errors: readonly Unreachable[]): string =>
  inShort([...new Set(errors.map(({ known, message }) => known.reason ?? message))], 2);
