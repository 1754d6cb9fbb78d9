import { levels } from "../../generated/requirements.ts";
import type { LevelRow, ReportLevel } from "../../generated/schema-types.ts";
import { count } from "../../lib/text.ts";
import { isOptionalSetting, type Profile } from "../engine/settings.ts";
import { observable } from "../response-checks/encoded.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

/** A level of the document, with the ids of all requirements that it contains. */
export interface Level extends Pick<LevelRow, "id" | "title" | "profile"> {
  ids: readonly string[];
}

const table: readonly (Omit<LevelRow, "leavesOut"> & { leavesOut: readonly string[] })[] = levels;

/** The profiles with all test cases of another one. */
const shownBy: Record<LevelRow["profile"], readonly Profile[]> = { core: ["core", "full"], full: ["full"] };

/**
 * Those that a run of a profile can show; none for a profile that no level requires. A level of servers leaves out what it lists, and what the
 * later ones list.
 * @param ofClients the requirements that the client suite verifies, for a run on a client
 */
export function levelsShownBy(profile: Profile, ofClients?: Iterable<string>): Level[] {
  if (!Object.hasOwn(shownBy, profile)) return [];
  return table.flatMap((level, index) => {
    if (ofClients !== undefined) return level.clients ? [{ ...level, ids: [...ofClients] }] : [];
    const leftOut = table.slice(index).flatMap(({ leavesOut }) => leavesOut);
    return [{ ...level, ids: [...observable].filter((id) => !leftOut.includes(id)) }];
  });
}

/** What a run shows of each level. It is passed if every requirement passes, apart from expected failures, and no test case was left out. */
export function levelStates(
  { profile, without = [], requirements }: Pick<ContractResult, "profile" | "without" | "requirements">,
  shown: readonly Level[],
): ReportLevel[] {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  const leftOut = without.filter((name) => !isOptionalSetting(name));
  return shown.map(({ id, title, profile: needed, ids }) => {
    const having = (...wanted: (RequirementVerdict | undefined)[]): string[] =>
      ids.filter((one) => wanted.includes(verdicts.get(one)));
    const exceptions = having("expected failure");
    const failed = having("fail", "error");
    const notVerified = having("not verified", undefined);
    const isShown = shownBy[needed].includes(profile);
    const isPassed = isShown && failed.length + notVerified.length + leftOut.length === 0;
    const state = !isPassed ? "not passed" : exceptions.length > 0 ? "passed with exceptions" : "passed";
    const more = { ...(!isShown && { profile: needed }), ...(leftOut.length > 0 && { leftOut }) };
    return { id, title, state, ...more, exceptions, failed, notVerified };
  });
}

/** The highest level that is passed: `Full, 2 exceptions`. */
export function levelClaim({ levels: found = [] }: Pick<ContractResult, "levels">) {
  const level = found.findLast(({ state }) => state !== "not passed");
  if (level === undefined) return { text: "no level", state: "fail" } as const;
  const { title, exceptions } = level;
  if (exceptions.length === 0) return { text: title, state: "pass" } as const;
  return { text: `${title}, ${count(exceptions.length, "exception")}`, state: "warning" } as const;
}

/** `not passed: 1 requirement fails, 7 not verified, 3 outside the run`. A run of another profile verifies less in any case. */
export function stateText(level: ReportLevel, verdicts: ReadonlyMap<string, RequirementVerdict>): string {
  const { state, profile, exceptions, failed, notVerified } = level;
  if (state === "passed with exceptions") return `passed with ${count(exceptions.length, "exception")}`;
  if (state === "passed") return state;
  const open = Map.groupBy(notVerified, (id) => (verdicts.has(id) ? "not verified" : "outside the run"));
  const reasons = [
    ...(failed.length > 0 ? [count(failed.length, "requirement fails", "requirements fail")] : []),
    ...(profile ? [`needs the profile ${profile}`] : [...open].map(([what, ids]) => `${ids.length} ${what}`)),
  ];
  return [state, reasons.join(", ")].filter(Boolean).join(": ");
}
