import type { ReportUnanswered } from "../../generated/schema-types.ts";
import { inShort } from "../text.ts";
import { Unreachable } from "./http.ts";

/** After so many tries without any response, no more requests are sent to an operation: each may take the whole deadline. */
const mostTries = 3;

/** The requests of a run by method and path template, and the errors of those that got no response. */
export class Attempts {
  readonly #byName = new Map<string, { tries: number; errors: Unreachable[] }>();
  #tries = 0;
  /** The last ones of them, if connections are refused. */
  #unconnected: Unreachable[] = [];

  /** @throws Unreachable if an operation never responded */
  assertNotSilent(name: string): void {
    const { tries = 0, errors = [] } = this.#byName.get(name) ?? {};
    if (errors.length >= mostTries && errors.length === tries) throw errors[0];
  }

  /**
   * @param error there was no response
   * @returns the error, or one in its place that says since when connections are refused
   */
  note(name: string, error?: Unreachable): Unreachable | undefined {
    const { tries = 0, errors = [] } = this.#byName.get(name) ?? {};
    this.#tries += 1;
    this.#unconnected = error?.known.reason?.includes("ECONNREFUSED") ? [...this.#unconnected, error] : [];
    const since = this.stopped;
    const shown =
      error && since
        ? new Unreachable(`${since} did not respond: ${error.known.reason}`, error.known)
        : error;
    if (shown !== undefined) errors.push(shown);
    this.#byName.set(name, { tries: tries + 1, errors });
    return shown;
  }

  /** The subject of what is said since connections are refused; undefined if they are not. */
  get stopped(): string | undefined {
    const { length } = this.#unconnected;
    return length < mostTries ? undefined : `After request ${this.#tries - length}, the server`;
  }

  /** Those that got no response at least once; if the server has stopped, one entry for all since then. */
  unanswered(): ReportUnanswered[] {
    const errors = this.#unconnected;
    const rows = this.stopped ? ([[this.stopped, { tries: errors.length, errors }]] as const) : this.#byName;
    return [...rows].flatMap(([request, { tries, errors }]) =>
      errors.length === 0 ? [] : [{ request, tries, unanswered: errors.length, reason: reasonsOf(errors) }],
    );
  }
}

const reasonsOf = (errors: readonly Unreachable[]): string =>
  inShort([...new Set(errors.map(({ known, message }) => known.reason ?? message))], 2);
