/** A law in one case, by the requirements it belongs to. */
export interface Trial {
  ids: string[];
  /** The law, and the case where it has several. */
  title: string;
}

/** A trial that did not hold, or could not be made. */
export interface ContractFailure extends Trial {
  /**
   * `broken`: the server broke a promise. `unreachable`: it gave no whole answer, so nothing can be said.
   * `suite`: the suite itself is at fault.
   */
  kind: "broken" | "unreachable" | "suite";
  /** What was expected, found, sent and answered, for people. The key is struck out. */
  message: string;
}

/** What a run of the contract suite found. All counts are of trials. */
export interface ContractResult {
  baseUrl: string;
  profile: string;
  /** How many laws were tried. */
  laws: number;
  passed: number;
  failed: number;
  /** What this profile cannot try, with the reason. */
  skipped: (Trial & { reason: string })[];
  failures: ContractFailure[];
  /** The counts by topic of the requirements, in the order of the requirements. */
  byTopic: { topic: string; laws: number; passed: number; failed: number; skipped: number }[];
  durationMilliseconds: number;
}

/** How one trial ended. */
export interface Outcome extends Trial {
  law: string;
  state: "passed" | "failed" | "skipped";
  reason?: string;
  failure?: Pick<ContractFailure, "kind" | "message">;
}

/**
 * The outcomes counted.
 * @param topicOf the topic of each requirement, by id, in the order to list the topics in
 */
export function countOutcomes(
  outcomes: Outcome[],
  topicOf: ReadonlyMap<string, string>,
): Omit<ContractResult, "baseUrl" | "profile" | "durationMilliseconds"> {
  const count = (given: Outcome[], state: Outcome["state"]): number =>
    given.filter((one) => one.state === state).length;
  const laws = (given: Outcome[]): number =>
    new Set(given.filter(({ state }) => state !== "skipped").map(({ law }) => law)).size;
  const topics = [...new Set([...topicOf.values(), "other"])].map((topic) => {
    const own = outcomes.filter(({ ids: [first = ""] }) => (topicOf.get(first) ?? "other") === topic);
    return {
      topic,
      laws: laws(own),
      passed: count(own, "passed"),
      failed: count(own, "failed"),
      skipped: count(own, "skipped"),
    };
  });
  return {
    laws: laws(outcomes),
    passed: count(outcomes, "passed"),
    failed: count(outcomes, "failed"),
    skipped: outcomes.flatMap(({ ids, title, state, reason = "" }) =>
      state === "skipped" ? [{ ids, title, reason }] : [],
    ),
    failures: outcomes.flatMap(({ ids, title, failure }) =>
      failure === undefined ? [] : [{ ids, title, ...failure }],
    ),
    byTopic: topics.filter(({ passed, failed, skipped }) => passed + failed + skipped > 0),
  };
}
