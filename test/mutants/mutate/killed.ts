import type { CaseOutcome } from "../../../contract/engine/outcome.ts";

/** A test case that failed on a mutant, or one of whose requests or responses failed a check. */
export interface Killer {
  /** The title of its check. */
  check: string;
  title: string;
  /** The failed requirements. */
  ids: string[];
}

/** The result of the suite on one mutant. */
export interface MutantOutcome {
  requirement: string;
  title: string;
  killers: Killer[];
  /** Errors of the suite itself: the check and the reason. */
  errors: string[];
  milliseconds: number;
}

/** The requirements with a failed test case or a failed check of a request or response. */
export function failedRequirements(outcomes: readonly CaseOutcome[]): Set<string> {
  const failed = outcomes.filter(({ verdict }) => verdict === "fail").flatMap(({ ids }) => ids);
  const onWire = outcomes
    .flatMap(({ responseChecks }) => responseChecks)
    .filter(({ failures }) => failures.length > 0)
    .flatMap(({ ids }) => ids);
  return new Set([...failed, ...onWire]);
}

/** The test cases that failed. */
export const killersIn = (outcomes: readonly CaseOutcome[]): Killer[] =>
  outcomes.flatMap((outcome) => {
    const { check, title } = outcome;
    const ids = [...failedRequirements([outcome])];
    return ids.length === 0 ? [] : [{ check, title, ids }];
  });

/** Errors of the suite itself. */
export const errorsIn = (outcomes: readonly CaseOutcome[]): string[] =>
  outcomes
    .filter(({ verdict }) => verdict === "error")
    .map(({ check, title: of, reason = "" }) => `${check} (${of}): ${reason}`);

/** The failed requirements, sorted. */
export const failedIn = ({ killers }: Pick<MutantOutcome, "killers">): string[] =>
  [...new Set(killers.flatMap(({ ids }) => ids))].sort();

/** Whether the requirement that the mutant violates failed. */
export const isKilled = (outcome: MutantOutcome): boolean => failedIn(outcome).includes(outcome.requirement);

/** A mutant with another one that proves as much. */
interface Subsumed<Outcome> {
  outcome: Outcome;
  by: Outcome;
}

/**
 * The mutants that prove nothing more than another one of their requirement: every test case that kills this other one kills
 * them too. Of mutants that the same cases kill, the first stays, and of each requirement at least two mutants. Needs
 * outcomes of all checks of the requirement, to their end.
 */
export function subsumed<Outcome extends MutantOutcome>(outcomes: readonly Outcome[]): Subsumed<Outcome>[] {
  const byRequirement = Map.groupBy(outcomes.filter(isKilled), ({ requirement }) => requirement);
  return [...byRequirement.values()].flatMap((group) => {
    const all = group.map((outcome) => ({ outcome, cases: casesOf(outcome) }));
    const found = all.flatMap((one, index) => {
      const by = all.find(
        (other, otherIndex) =>
          [...other.cases].every((of) => one.cases.has(of)) &&
          (other.cases.size < one.cases.size || otherIndex < index),
      );
      return by === undefined ? [] : [{ outcome: one.outcome, by: by.outcome }];
    });
    return group.length - found.length < 2 ? found.slice(1) : found;
  });
}

/** The test cases that failed on the violated requirement. Random sequences have no titles: their check counts. */
const casesOf = ({ requirement, killers }: MutantOutcome): Set<string> =>
  new Set(
    killers.filter(({ ids }) => ids.includes(requirement)).map(({ check, title }) => `${check}: ${title}`),
  );
