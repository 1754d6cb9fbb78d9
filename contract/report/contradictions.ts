import packageJson from "../../package.json" with { type: "json" };
import { differenceOf } from "../difference.ts";
import { document } from "../document.ts";
import { brief, shown } from "../text.ts";
import { isExpired, isFailure } from "./expected.ts";
import { levelStates, levelsShownBy } from "./levels.ts";
import { type ContractResult, exitCodeOf, verdictsOf } from "./result.ts";
import { byTopicOf, combined, countsOf } from "./summarize.ts";

/** Whether this version defines the levels of a report, so that they can be computed. */
export const isOfThisVersion = ({ tool, document: own }: ContractResult): boolean =>
  tool.version === packageJson.version && own?.version === document.info.version;

/**
 * What in a report contradicts its verdicts; undefined if nothing does.
 * @param ofClients the requirements that the client suite verifies
 */
export function contradictionIn(report: ContractResult, ofClients: ReadonlySet<string>): string | undefined {
  const { requirements, notTested, notImplemented = [], checks, responseChecks, levels = [] } = report;
  const ids = [...requirements, ...notTested].map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return `has the requirement ${repeated} twice`;
  const verdicts = verdictsOf(report);
  for (const { ids, verdict } of [...checks, ...responseChecks]) {
    // Failures can be expected.
    const least = isFailure(verdict) ? "expected failure" : verdict;
    const hidden = ids.find((id) => combined([verdicts.get(id) ?? "pass", least]) !== verdicts.get(id));
    if (hidden !== undefined)
      return `has a check of ${hidden} with the verdict ${verdict}, and no such verdict`;
  }
  const unproven = requirements.find(({ verdict, passed }) => verdict === "pass" && passed === 0);
  if (unproven !== undefined) return `has the verdict pass for ${unproven.id}, and nothing that passes`;
  const excused = report.expectedFailures?.filter(({ state }) => state === "fails") ?? [];
  const bare = requirements.find(
    ({ id, verdict }) => verdict === "expected failure" && excused.every((entry) => entry.id !== id),
  );
  if (bare !== undefined) return `has no entry of expectedFailures for ${bare.id}`;
  const late = excused.find((entry) => isExpired(entry, new Date(report.startedAt)));
  if (late !== undefined) return `has an exception for ${late.id} until ${late.until}, before the run`;
  const computed = computedLevels(report, ofClients);
  for (const { id, title, state } of levels) {
    const { failed = [], notVerified = [] } = computed.find((level) => level.id === id) ?? {};
    const lacking = [...failed, ...notVerified, ...notImplemented];
    if (state !== "not passed" && lacking.length > 0)
      return `says that the level ${title} is ${state}, without ${brief(lacking.join(", "), 100)}`;
  }
  const { counts, byTopic } = report;
  const own = {
    exitCode: isOfThisVersion(report) ? exitCodeOf(report) : report.exitCode,
    counts: { ...counts, ...countsOf(requirements) },
    byTopic: byTopicOf(requirements),
  };
  const stated = { exitCode: report.exitCode, counts, byTopic, levels };
  const { at, one, other } = differenceOf(stated, { ...own, levels: computed }) ?? {};
  return at && `has ${shown(one)} at ${at}, by its verdicts ${shown(other)}`;
}

/** The levels by the verdicts. Of another version, those that the report names, with the requirements that it names. */
function computedLevels(report: ContractResult, ofClients: ReadonlySet<string>) {
  const { levels = [], client, profile } = report;
  if (levels.length > 0 && isOfThisVersion(report))
    return levelStates(report, levelsShownBy(profile, client && ofClients));
  const named = levels.map(({ exceptions, failed, notVerified, profile: needed = "core", ...level }) => {
    return { ...level, profile: needed as "core", ids: [...exceptions, ...failed, ...notVerified] };
  });
  return levelStates(report, named);
}
