/** What became of a defect: who should have noticed it, and everyone who did. */
export interface Outcome {
  topic: string;
  name: string;
  by: string;
  /** Ids of the rules that found something, and `facts` where a fact is broken. */
  noticed: string[];
}
