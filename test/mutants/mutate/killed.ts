/** A test case that failed on a mutant, or whose responses failed a response check. */
export interface Killer {
  /** The title of its check. */
  check: string;
  /** Whether it is one of random sequences. */
  isModel: boolean;
  title: string;
  /** The failed requirements. */
  ids: string[];
}

/** The result of the suite on one mutant. */
export interface MutantOutcome {
  requirement: string;
  title: string;
  /** Whether it breaks a rule on one of its paths only. */
  isOfOnePath: boolean;
  killers: Killer[];
  /** Errors of the suite itself: the check and the reason. */
  errors: string[];
  milliseconds: number;
}

/** The failed requirements, sorted. */
export const failedIn = ({ killers }: MutantOutcome): string[] =>
  [...new Set(killers.flatMap(({ ids }) => ids))].sort();

/** Whether the requirement that the mutant violates failed. */
export const isKilled = (outcome: MutantOutcome): boolean => failedIn(outcome).includes(outcome.requirement);
