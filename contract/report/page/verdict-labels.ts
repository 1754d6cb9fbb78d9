import type { RequirementVerdict } from "../result.ts";

/** A requirement outside the run has no verdict. */
export type PageVerdict = RequirementVerdict | "outside the run";

interface Label {
  /** The class of elements. */
  name: string;
  word: string;
  /** In the overview. */
  mark: string;
  meaning: string;
}

/** By verdict, in the order of the filter. */
export const verdictLabels: Record<PageVerdict, Label> = {
  fail: { name: "fail", word: "Fail", mark: "✕", meaning: "a test case or a response fails" },
  error: { name: "error", word: "Error", mark: "!", meaning: "no complete response, or a bug of the suite" },
  "expected failure": {
    name: "expected",
    word: "Expected failure",
    mark: "~",
    meaning: "it fails, and is listed",
  },
  "not verified": {
    name: "unverified",
    word: "Not verified",
    mark: "?",
    meaning: "something is missing to test it",
  },
  pass: { name: "pass", word: "Pass", mark: "", meaning: "every test case passes" },
  "outside the run": {
    name: "outside",
    word: "Outside the run",
    mark: "",
    meaning: "no check of this run is about it",
  },
};

/** Whether there is anything to show of a requirement. */
export const isDecided = (verdict: PageVerdict): boolean =>
  verdict !== "not verified" && verdict !== "outside the run";
