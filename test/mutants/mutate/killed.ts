/** The result of the suite on one mutant. */
export interface MutantOutcome {
  requirement: string;
  title: string;
  /** The failed requirements, sorted. */
  failed: string[];
  /** Errors of the suite itself: the check and the reason. */
  errors: string[];
  milliseconds: number;
}

/** Whether the requirement that the mutant violates failed. */
export const isKilled = ({ requirement, failed }: MutantOutcome): boolean => failed.includes(requirement);
