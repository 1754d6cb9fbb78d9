/** What became of a fault. */
export interface MutantOutcome {
  requirement: string;
  title: string;
  /** The requirements that failed, in the order of their names. */
  failed: string[];
  /** What the suite itself could not cope with: the law, and why. */
  errors: string[];
  milliseconds: number;
}

/** Whether the requirement that a fault requirement failed. */
export const isKilled = ({ requirement, failed }: MutantOutcome): boolean => failed.includes(requirement);
