/** What became of a fault. */
export interface FaultOutcome {
  breaks: string;
  title: string;
  /** The requirements that fell, in the order of their names. */
  fell: string[];
  /** What the suite itself could not cope with: the law, and why. */
  errors: string[];
  milliseconds: number;
}

/** Whether the requirement that a fault breaks fell. */
export const isKilled = ({ breaks, fell }: FaultOutcome): boolean => fell.includes(breaks);
