import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import type { TrialOutcome } from "../../test/contract/engine/outcome.ts";

/** Collects how each trial ends, and tells how many have. Prints nothing. */
export class Collector implements Reporter {
  readonly outcomes: TrialOutcome[] = [];
  /** What kept the suite itself from running. */
  readonly failures: string[] = [];
  #total = 0;
  readonly #tell: (done: number, total: number) => void;

  constructor(tell: (done: number, total: number) => void) {
    this.#tell = tell;
  }

  onTestModuleCollected(module: TestModule): void {
    this.#total += [...module.children.allTests()].length;
  }

  onTestCaseResult(test: TestCase): void {
    const { outcome } = test.meta() as { outcome?: TrialOutcome };
    if (outcome === undefined) this.failures.push(`${test.name}: ${messageOf(test.result().errors?.[0])}`);
    else this.outcomes.push(outcome);
    this.#tell(this.outcomes.length, this.#total);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const error of [...modules.flatMap((module) => module.errors()), ...errors])
      this.failures.push(messageOf(error));
  }
}

const messageOf = (error: { message: string; stack?: string } | undefined): string =>
  error?.stack ?? error?.message ?? "no reason was given";
