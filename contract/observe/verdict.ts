/** What an exchange shows about requirements. */
export interface Verdict {
  ids: readonly string[];
  title: string;
  passes: boolean;
  expected: string;
}
