import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import { missingOperation } from "../client-suite/driver/protocol.ts";
import { isOptionalSetting } from "../engine/settings.ts";
import { listOf } from "../text.ts";
import { baselineSection, maxIds } from "./baseline.ts";
import type { ContractResult } from "./result.ts";
import type { Group, Section } from "./section.ts";

export type { Group, Section } from "./section.ts";

export const errorsTitle = "Errors";
export const staleTitle = "Stale expected failures, which pass: remove their entries";

/** The sections of a result that are not empty. */
export const sectionsOf = (result: ContractResult): Section[] => [
  ...baselineSection(result),
  ...ownSections(result),
];

/** Those that are not about the baseline. */
export function ownSections(result: ContractResult): Section[] {
  const { information, resetError } = result;
  const sections: Section[] = [
    {
      title: "Expired expected failures: fix them, or agree on another day",
      severity: "error",
      groups: entriesOf(result, "expired"),
    },
    { title: "Expected failures", severity: "warning", groups: entriesOf(result, "fails") },
    {
      title: staleTitle,
      // Traffic may only lack what shows them.
      severity: result.traffic === undefined && result.baseline === undefined ? "error" : "warning",
      groups: entriesOf(result, "passes"),
    },
    { title: "Not verified", severity: "warning", groups: notVerified(result) },
    { title: errorsTitle, severity: "error", groups: errors(result) },
    {
      title: "The server was not reset to its state before the run",
      severity: "error",
      groups: resetError === undefined ? [] : [{ what: resetError, ids: [] }],
    },
    {
      title:
        result.client === undefined
          ? "Additions of the server to the document"
          : "Good practice that the client does not follow, which is allowed",
      severity: "information",
      groups: (result.client === undefined ? additions(information) : information).map((what) => ({
        what,
        ids: [],
      })),
    },
  ];
  return sections.filter(({ groups }) => groups.length > 0);
}

/** The entries of the list of expected failures in a state, by what they say. */
function entriesOf({ expectedFailures = [] }: ContractResult, state: EntryState): Group[] {
  const own = expectedFailures.filter((entry) => entry.state === state);
  const groups = Map.groupBy(own, ({ operation, case: name, reason, owner, until }) =>
    [operation, name, reason, owner && `owner ${owner}`, until && `until ${until}`]
      .filter((part) => part !== undefined)
      .join("; "),
  );
  return [...groups].map(([what, entries]) => ({ what, ids: entries.map(({ id }) => id) }));
}
type EntryState = NonNullable<ContractResult["expectedFailures"]>[number]["state"];

/** More are counted. */
const maxPlaces = 3;

/** Each addition once, with where it was found: `header x-region: allowed (getMe 200, sendEmail 202)`. */
function additions(information: readonly string[]): string[] {
  const places = new Map<string, string[]>();
  for (const text of information) {
    const [, what = text, place] = /^(.*) \(([^()]*)\)$/s.exec(text) ?? [];
    places.set(what, [...(places.get(what) ?? []), ...(place === undefined ? [] : [place])]);
  }
  return [...places].map(([what, all]) => {
    const more = all.length > maxPlaces ? ` and ${all.length - maxPlaces} more` : "";
    return `${what}: allowed${all.length === 0 ? "" : ` (${all.slice(0, maxPlaces).join(", ")}${more})`}`;
  });
}

/** What to set, the most useful first, then the other reasons. */
function notVerified(result: ContractResult): Group[] {
  const settings = missingSettings(result);
  const ofSettings = new Set(settings.flatMap(({ ids }) => ids));
  const others = { ...result, requirements: result.requirements.filter(({ id }) => !ofSettings.has(id)) };
  return [
    ...settings.map(({ settings: names, ids }) => ({
      what: `Set ${listOf(names.map((name) => `\`${name}\``))}: ${count(ids.length, "more requirement")}${orLeaveOut(names)}`,
      ids: [],
      folded: ids,
    })),
    ...byReason(others, "not verified", (reason) =>
      reason.startsWith(missingOperation) ? missingOperations(result.client?.operations ?? []) : reason,
    ).map((group) => {
      const { what, ids } = group;
      // The table counts by topic what traffic does not show.
      const isLong = result.traffic !== undefined && ids.length > maxIds;
      return isLong ? { what: `${what}: ${count(ids.length, "requirement")}`, ids: [], folded: ids } : group;
    }),
  ];
}

/** A server may be unable to have some settings: a run without them is complete if it says so. */
function orLeaveOut(names: readonly string[]): string {
  const optional = names.filter(isOptionalSetting);
  return optional.length === 0 ? "" : `, or leave them out: \`--without ${optional.join(" ")}\``;
}

/** Errors by the first line of their reason, with the others of the first error. */
function errors(result: ContractResult): Group[] {
  const reasons = result.checks.flatMap(({ cases }) => cases.flatMap(({ reason }) => reason ?? []));
  const known = result.baseline?.knownFailures ?? [];
  const requirements = result.requirements.filter(({ id }) => !known.includes(id));
  return byReason({ ...result, requirements }, "error", firstLine).map((group) => {
    const first = reasons.find((reason) => firstLine(reason).replace(/\.$/, "") === group.what);
    const [, ...detail] = first?.split("\n") ?? [];
    return { ...group, ...(detail.length > 0 && { detail }) };
  });
}

function missingOperations(own: readonly string[]): string {
  const all = Object.keys(operations);
  const missing = all.filter((name) => !own.includes(name));
  return `The driver has ${own.length} of ${all.length} operations; it lacks ${missing.join(", ")}`;
}

const firstLine = (reason: string): string => reason.split("\n")[0] ?? reason;

/** The reasons of each requirement with a verdict: those of its test cases, or else its own. */
const reasonsOf = (
  { requirements, checks }: ContractResult,
  verdict: "not verified" | "error",
): { id: string; reasons: string[] }[] =>
  requirements.flatMap(({ id, reason: own, ...requirement }) => {
    if (requirement.verdict !== verdict) return [];
    const cases = checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
    const open = cases.filter((one) => one.verdict === verdict && one.excused === undefined);
    const reasons = open.map((one) => one.reason ?? "No reason");
    return [{ id, reasons: reasons.length === 0 && own !== undefined ? [own] : reasons }];
  });

/** The requirements with a verdict by reason, the largest group first. */
function byReason(
  result: ContractResult,
  verdict: "not verified" | "error",
  describe: (reason: string) => string,
): Group[] {
  const groups = new Map<string, string[]>();
  for (const { id, reasons } of reasonsOf(result, verdict))
    for (const what of new Set(reasons.map((reason) => describe(reason).replace(/\.$/, ""))))
      groups.set(what, [...(groups.get(what) ?? []), id]);
  return [...groups]
    .map(([what, ids]) => ({ what, ids }))
    .sort((one, other) => other.ids.length - one.ids.length);
}

/**
 * What to set, the settings that most requirements need first. Each requirement that nothing else keeps from being verified is in one entry, that of
 * the last setting that it needs: an entry counts what it enables in addition to those before it. Settings that enable nothing by themselves stand with
 * the next one.
 */
export function missingSettings(result: ContractResult) {
  const needs = needsOf(result);
  const weights = new Map<string, number>();
  for (const setting of needs.flatMap(({ settings }) => settings))
    weights.set(setting, (weights.get(setting) ?? 0) + 1);
  const order = [...weights].sort(([, one], [, other]) => other - one).map(([setting]) => setting);
  const entries: { settings: string[]; ids: string[] }[] = [];
  let waiting: string[] = [];
  for (const setting of order) {
    waiting.push(setting);
    const own = needs.filter(({ settings }) => order.findLast((one) => settings.includes(one)) === setting);
    if (own.length === 0) continue;
    entries.push({ settings: waiting, ids: own.map(({ id }) => id) });
    waiting = [];
  }
  return entries;
}

/** The missing settings of each requirement that is not verified for nothing else, by id. */
const needsOf = (result: ContractResult): { id: string; settings: string[] }[] =>
  reasonsOf(result, "not verified").flatMap(({ id, reasons }) => {
    const lists = reasons.map(settingsIn);
    if (lists.length === 0 || lists.includes(undefined)) return [];
    return [{ id, settings: [...new Set(lists.flatMap((list) => list ?? []))].toSorted() }];
  });

/** The settings that a reason names; undefined for another reason. */
function settingsIn(reason: string): string[] | undefined {
  const [, several, one] = /^Not configured: (.*)\.$|^([\w.]+) is not configured\.$/.exec(reason) ?? [];
  return several?.split(", ") ?? (one === undefined ? undefined : [one]);
}
