import { isDeepStrictEqual } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { document } from "../document.ts";
import { brief } from "../text.ts";
import { isFailure } from "./expected.ts";
import { levelStates, levelsShownBy } from "./levels.ts";
import { type ContractResult, verdictsOf } from "./result.ts";
import { countsOf } from "./summarize.ts";

/** Whether this version defines the levels of a report, so that they can be computed. */
export const isOfThisVersion = ({ tool, document: own }: ContractResult): boolean =>
  tool.version === packageJson.version && own?.version === document.info.version;

/**
 * What in a report contradicts its verdicts; undefined if nothing does.
 * @param ofClients the requirements that the client suite verifies
 */
export function contradictionIn(report: ContractResult, ofClients: ReadonlySet<string>): string | undefined {
  const { requirements, notTested, counts } = report;
  const ids = [...requirements, ...notTested].map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) return `has the requirement ${repeated} twice`;
  const own = countsOf(requirements);
  for (const verdict of Object.keys(own) as (keyof typeof own)[])
    if (counts[verdict] !== own[verdict])
      return `has ${counts[verdict]} as counts.${verdict}, by its verdicts ${own[verdict]}`;
  return hiddenFailure(report) ?? wrongLevel(report, ofClients);
}

/** A requirement whose checks or expected failures say something else than its verdict. */
function hiddenFailure(report: ContractResult): string | undefined {
  const { requirements, checks, responseChecks, expectedFailures = [] } = report;
  const verdicts = verdictsOf(report);
  for (const { ids, verdict } of [...checks, ...responseChecks])
    for (const id of isFailure(verdict) ? ids : [])
      if (!isFailure(verdicts.get(id)) && verdicts.get(id) !== "expected failure")
        return `has a check of ${id} that fails, and the verdict "${verdicts.get(id)}"`;
  const excused = new Set(expectedFailures.flatMap(({ id, state }) => (state === "fails" ? [id] : [])));
  const bare = requirements.find(({ id, verdict }) => verdict === "expected failure" && !excused.has(id));
  return bare && `has no entry of expectedFailures for ${bare.id}`;
}

/** A level with another state, or other requirements, than by the verdicts. Of another version, those that it names count. */
function wrongLevel(report: ContractResult, ofClients: ReadonlySet<string>): string | undefined {
  const { levels = [], client, profile } = report;
  const named = levels.map((level) => {
    const { exceptions, failed, notVerified, profile: needed = "core" } = level;
    return { ...level, profile: needed as "core", ids: [...exceptions, ...failed, ...notVerified] };
  });
  const shown = isOfThisVersion(report) ? levelsShownBy(profile, client && ofClients) : named;
  const own = levelStates(report, shown);
  for (const level of levels) {
    const computed = own.find(({ id }) => id === level.id);
    if (computed === undefined)
      return `has the level ${level.id}, which the profile ${profile} does not show`;
    const names = Object.keys({ ...level, ...computed }) as (keyof typeof level)[];
    const name = names.find((one) => !isDeepStrictEqual(level[one], computed[one]));
    if (name !== undefined)
      return `has ${shortJson(level[name])} as ${name} of the level ${level.id}, by its verdicts ${shortJson(computed[name])}`;
  }
  return undefined;
}

const shortJson = (value: unknown): string => brief(JSON.stringify(value) ?? "nothing", 100);
