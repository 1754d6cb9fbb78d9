import type { RequirementVerdict } from "../result.ts";

/** How a requirement stands on the page: `not tried` where the run says nothing of it. */
export type Standing = RequirementVerdict | "not tried";

/** In the order that the filter has them in: class of elements, word for people, mark. */
export const standings: Record<Standing, { name: string; word: string; mark: string }> = {
  fail: { name: "fail", word: "Broken", mark: "✕" },
  error: { name: "error", word: "Error", mark: "!" },
  "expected failure": { name: "expected", word: "Expected failure", mark: "~" },
  "not verified": { name: "missing", word: "Not verified", mark: "?" },
  pass: { name: "pass", word: "Holds", mark: "" },
  "not tried": { name: "untried", word: "Not tried", mark: "" },
};
