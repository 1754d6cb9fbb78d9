import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import { withoutKey } from "../../test/contract/secret.ts";
import type { ContractFailure, Outcome } from "./result.ts";

const leadingIds = /^((?:[A-Z]+-\d+ )+)(.*)$/s;

/** Collects how each trial ends, and tells how many have. Prints nothing, and keeps no message with the API key in it. */
export class Collector implements Reporter {
  readonly outcomes: Outcome[] = [];
  #total = 0;
  #done = 0;
  readonly #key: string;
  readonly #tell: (done: number, total: number) => void;

  constructor(key: string, tell: (done: number, total: number) => void) {
    this.#key = key;
    this.#tell = tell;
  }

  onTestModuleCollected(module: TestModule): void {
    for (const test of module.children.allTests()) if (test.options.mode === "run") this.#total += 1;
  }

  onTestCaseResult(test: TestCase): void {
    const outcome = outcomeOf(test);
    if (outcome === undefined) return;
    this.#keep(outcome);
    this.#done += 1;
    this.#tell(this.#done, Math.max(this.#total, this.#done));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const broken = modules.flatMap((module) =>
      module.errors().map((error) => ({ file: module.relativeModuleId, error })),
    );
    for (const { file, error } of [...broken, ...errors.map((error) => ({ file: "the run", error }))]) {
      const law = `${file} could not be run`;
      const failure = { kind: "suite" as const, message: error.stack ?? error.message };
      this.#keep({ ids: [], law, title: law, state: "failed", failure });
    }
  }

  /** Whatever a message is of, a stack of Vitest or a complaint of `fetch`, it passes here. */
  #keep({ failure, ...outcome }: Outcome): void {
    if (failure === undefined) this.outcomes.push(outcome);
    else {
      const message = withoutKey(failure.message, this.#key);
      this.outcomes.push({ ...outcome, failure: { ...failure, message } });
    }
  }
}

function outcomeOf(test: TestCase): Outcome | undefined {
  const result = test.result();
  // A test that the pattern of --grep left out was not asked for, and has no reason.
  if (result.state === "pending" || (result.state === "skipped" && result.note === undefined))
    return undefined;
  const isCase = test.parent.type === "suite";
  const [, ids = "", law = test.name] = leadingIds.exec(isCase ? test.parent.name : test.name) ?? [];
  return {
    ids: ids.trim().split(" ").filter(Boolean),
    law: `${ids}${law}`,
    title: isCase ? `${law}: ${test.name}` : law,
    state: result.state,
    ...(result.state === "skipped" && result.note !== undefined ? { reason: result.note } : {}),
    ...(result.state === "failed" ? { failure: failureOf(result.errors[0]) } : {}),
  };
}

const kinds: Record<string, ContractFailure["kind"]> = {
  BrokenPromise: "broken",
  Unreachable: "unreachable",
};

function failureOf(
  error: { name?: string; message: string; stack?: string } | undefined,
): Pick<ContractFailure, "kind" | "message"> {
  const kind = kinds[error?.name ?? ""] ?? "suite";
  const message = kind === "suite" ? error?.stack : error?.message;
  return { kind, message: message ?? "no reason was given" };
}
