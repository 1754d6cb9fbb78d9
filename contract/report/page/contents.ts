import type { Html } from "../../../lib/html.ts";
import type { ExchangeContext } from "../curl.ts";
import { verdictsOf } from "../read-result.ts";
import type { CheckResult, ContractResult, ResponseCheckResult } from "../result.ts";

/** Limits the size of one kind of content of a page, in bytes. */
class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** The markup if it fits into what is left. */
  take(markup: Html): Html | undefined {
    const size = Buffer.byteLength(markup.text);
    if (size > this.#left) return undefined;
    this.#left -= size;
    return markup;
  }
}

type AnyCheck = CheckResult | ResponseCheckResult;

/** The checks of a requirement; those shown at another requirement are in `elsewhere`. */
export interface OwnChecks {
  checks: CheckResult[];
  responseChecks: ResponseCheckResult[];
  elsewhere: AnyCheck[];
}

/** What the parts of a page share. */
export class Contents {
  readonly context: ExchangeContext;
  /** For failures with all their exchanges; if that is used up, for what was expected and found. */
  readonly failures = new Room(1_900_000);
  readonly comparisons = new Room(900_000);
  /** For examples of what passes. */
  readonly examples = new Room(1_300_000);
  readonly #result: ContractResult;
  #hasFailure = false;
  readonly #homes = new Map<AnyCheck, string>();

  constructor(result: ContractResult) {
    this.context = result;
    this.#result = result;
    const verdicts = verdictsOf(result);
    for (const check of [...result.checks, ...result.responseChecks]) {
      const own = check.ids.filter((id) => verdicts.has(id));
      // A failure is shown at a requirement that fails, not at an expected failure.
      const home = own.find((id) => verdicts.get(id) === check.verdict) ?? own[0] ?? "";
      this.#homes.set(check, home);
    }
  }

  /** True the first time. */
  isFirstFailure(): boolean {
    const isFirst = !this.#hasFailure;
    this.#hasFailure = true;
    return isFirst;
  }

  checksOf(id: string): OwnChecks {
    const { checks, responseChecks } = this.#result;
    const verifies = ({ ids }: AnyCheck): boolean => ids.includes(id);
    const isHome = (check: AnyCheck): boolean => this.homeOf(check) === id;
    return {
      checks: checks.filter(isHome),
      responseChecks: responseChecks.filter(isHome),
      elsewhere: [...checks, ...responseChecks].filter((check) => verifies(check) && !isHome(check)),
    };
  }

  /** The requirement that shows a check in full. */
  homeOf = (check: AnyCheck): string => this.#homes.get(check) ?? "";
}
