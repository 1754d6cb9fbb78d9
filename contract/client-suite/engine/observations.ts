import type { ResponseCheckTally } from "../../engine/outcome.ts";
import type { Observed } from "../../engine/outcome-of.ts";
import type { Exchange } from "../../exchange.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";

/** What a test case observes. */
export class Observations implements Observed {
  readonly exchanges: Exchange[] = [];
  readonly responseChecks = new Map<string, ResponseCheckTally & { at: (Exchange | undefined)[] }>();
  readonly information = new Set<string>();
  readonly compared = new Set<string>();

  get requests(): number {
    return this.exchanges.length;
  }

  /** Adds a request of the client, with what is found in it. */
  add(exchange: Exchange, findings: readonly ResponseFinding[]): void {
    this.exchanges.push(exchange);
    this.note(exchange, ...findings);
  }

  /** @param exchange the one that shows the findings */
  note(exchange: Exchange | undefined, ...findings: readonly ResponseFinding[]): void {
    for (const { ids, title, failure } of findings) {
      // The same check of the results of two operations is about two requirements.
      const name = `${ids.join(" ")} ${title}`;
      const tally = this.responseChecks.get(name) ?? { ids, title, responses: 0, failures: [], at: [] };
      this.responseChecks.set(name, tally);
      tally.responses += 1;
      if (failure === undefined) continue;
      tally.failures.push({ ...failure, exchange: null });
      tally.at.push(exchange);
    }
  }
}
