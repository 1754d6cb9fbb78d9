import type { RequirementVerdict } from "../result.ts";

/** A requirement outside the run has no verdict. */
export type PageVerdict = RequirementVerdict | "outside the run";

/** By verdict, in the order of the filter: the class of elements, the word, and the mark in the overview. */
export const verdictLabels: Record<PageVerdict, { name: string; word: string; mark: string }> = {
  fail: { name: "fail", word: "Fail", mark: "✕" },
  error: { name: "error", word: "Error", mark: "!" },
  "expected failure": { name: "expected", word: "Expected failure", mark: "~" },
  "not verified": { name: "unverified", word: "Not verified", mark: "?" },
  pass: { name: "pass", word: "Pass", mark: "" },
  "outside the run": { name: "outside", word: "Outside the run", mark: "" },
};
