import { levels, requirements } from "../../generated/requirements.ts";
import type { LevelRow, ReportLevel, RequirementRow } from "../../generated/schema-types.ts";
import { count } from "../../lib/text.ts";
import type { Profile } from "../engine/settings.ts";
import type { ContractResult, RequirementVerdict } from "./result.ts";

/** A level of the document, with the ids of all requirements that it asks for. */
export interface Level extends Pick<LevelRow, "id" | "title" | "profile"> {
  ids: readonly string[];
}

const table: readonly (Omit<LevelRow, "leavesOut"> & { leavesOut: readonly string[] })[] = levels;
const rows: readonly Pick<RequirementRow, "id" | "kind" | "excluded">[] = Object.values(requirements);

/** The profiles with all test cases of another one. */
const shownBy: Record<LevelRow["profile"], readonly Profile[]> = { core: ["core", "full"], full: ["full"] };

/**
 * Those that a run of a profile can show of a server; none for a profile that no level asks for. A level leaves out what it lists, and what the
 * later ones list.
 */
export const levelsShownBy = (profile: Profile): Level[] =>
  table
    .filter(() => Object.hasOwn(shownBy, profile))
    .map((level, index) => {
      const leftOut = table.slice(index).flatMap(({ leavesOut }) => leavesOut);
      const asked = rows.filter(({ kind, excluded }) => kind !== "client" && excluded === undefined);
      return { ...level, ids: asked.flatMap(({ id }) => (leftOut.includes(id) ? [] : [id])) };
    });

/** Those of clients. @param ids the requirements that the client suite verifies */
export const levelsOfClients = (ids: Iterable<string>): Level[] =>
  table.filter(({ clients }) => clients).map((level) => ({ ...level, ids: [...ids] }));

/** What a run shows of each level. Expected failures are exceptions; all else but a pass keeps a level from being passed. */
export function levelStates(
  { profile, requirements }: Pick<ContractResult, "profile" | "requirements">,
  asked: readonly Level[],
): ReportLevel[] {
  const verdicts = new Map(requirements.map(({ id, verdict }) => [id, verdict]));
  return asked.map(({ id, title, profile: needed, ids }) => {
    const having = (...wanted: (RequirementVerdict | undefined)[]): string[] =>
      ids.filter((one) => wanted.includes(verdicts.get(one)));
    const exceptions = having("expected failure");
    const failed = having("fail", "error");
    const notVerified = having("not verified", undefined);
    const isShown = shownBy[needed].includes(profile);
    const isPassed = isShown && failed.length + notVerified.length === 0;
    const state = !isPassed ? "not passed" : exceptions.length > 0 ? "passed with exceptions" : "passed";
    return { id, title, state, ...(!isShown && { profile: needed }), exceptions, failed, notVerified };
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

/** `passed with 2 exceptions`, `not passed: 1 fails, 7 not verified`. */
export function stateText({ state, profile, exceptions, failed, notVerified }: ReportLevel): string {
  if (state === "passed with exceptions") return `passed with ${count(exceptions.length, "exception")}`;
  if (state === "passed") return state;
  const reasons = [
    ...(failed.length > 0 ? [count(failed.length, "requirement fails", "requirements fail")] : []),
    ...(notVerified.length > 0 ? [`${notVerified.length} not verified`] : []),
    ...(profile === undefined ? [] : [`needs the profile ${profile}`]),
  ];
  return `${state}: ${reasons.join(", ")}`;
}
