import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import { missingOperation } from "../client-suite/driver/protocol.ts";
import { isOptionalSetting } from "../engine/settings.ts";
import { listOf } from "../text.ts";
import { type Comparison, type ContractResult, type RequirementVerdict, verdictsOf } from "./result.ts";

/** Requirements with something in common. */
export interface Group {
  /** A sentence without a full stop; empty if the title of the section says all. */
  what: string;
  ids: string[];
  /** More of them, too many for a line: only the HTML report lists them. */
  folded?: string[];
  /** What the first of them shows, line by line, such as the output of a program. */
  detail?: string[];
}

/** A list that reports show below the failures. */
export interface Section {
  title: string;
  severity: "error" | "warning" | "information";
  groups: Group[];
}

/** The sections of a result that are not empty. */
export function sectionsOf(result: ContractResult): Section[] {
  const { requirements, stale, information } = result;
  const expected = requirements.filter(({ verdict }) => verdict === "expected failure").map(({ id }) => id);
  const one = (ids: string[]): Group[] => (ids.length === 0 ? [] : [{ what: "", ids }]);
  const sections: Section[] = [
    ...baselineSection(result),
    { title: "Expected failures", severity: "warning", groups: one(expected) },
    {
      title: "Stale expected failures, which pass: remove their entries",
      severity: result.traffic === undefined ? "error" : "warning",
      groups: one(stale),
    },
    { title: "Not verified", severity: "warning", groups: notVerified(result) },
    { title: "Errors", severity: "error", groups: errors(result) },
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

/** Longer lists are folded. */
const maxIds = 20;

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
  return byReason(result, "error", firstLine).map((group) => {
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
    const reasons = cases.flatMap((one) => (one.verdict === verdict ? [one.reason ?? "No reason"] : []));
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

/** The report of an earlier run, and the file that it was read from. */
export interface Baseline {
  file: string;
  report: ContractResult;
}

/**
 * A result compared with an earlier one, requirement by requirement. Its exit code then depends on new failures only: an expected failure is none, and a
 * stale one changes nothing.
 */
export function withBaseline(result: ContractResult, { file, report }: Baseline): ContractResult {
  const [before, after] = [verdictsOf(report), verdictsOf(result)];
  const having = (isSo: (id: string) => boolean): string[] =>
    [...new Set([...after.keys(), ...before.keys()])].filter(isSo);
  const { runId, startedAt, profile, baseUrl, client } = report;
  const baseline: Comparison = {
    file,
    of: client?.name ?? baseUrl,
    runId,
    startedAt,
    profile,
    newFailures: having((id) => after.get(id) === "fail" && !failed(before.get(id))),
    knownFailures: having((id) => after.get(id) === "fail" && failed(before.get(id))),
    fixed: having((id) => after.get(id) === "pass" && failed(before.get(id))),
    newlyVerified: having((id) => after.get(id) === "pass" && !isVerified(before.get(id))),
    noLongerVerified: having((id) => !isVerified(after.get(id)) && isVerified(before.get(id))),
  };
  return { ...result, baseline, exitCode: baseline.newFailures.length > 0 ? 1 : 0 };
}

const failed = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "fail" || verdict === "expected failure";

const isVerified = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "pass" || failed(verdict);

/** What reports say about the comparison; nothing without a baseline. */
export function baselineSection({ baseline, profile }: ContractResult): Section[] {
  if (baseline === undefined) return [];
  const { newFailures, noLongerVerified } = baseline;
  const group = (name: string, ids: string[]): Group[] => {
    if (ids.length === 0) return [];
    const what = `${name} (${ids.length})`;
    return [ids.length > maxIds ? { what, ids: [], folded: ids } : { what, ids }];
  };
  const groups = [
    ...group("New failures", newFailures),
    ...group("Fixed", baseline.fixed),
    ...group("Newly verified", baseline.newlyVerified),
    ...group("No longer verified", noLongerVerified),
    ...group("Known failures", baseline.knownFailures),
  ];
  const other = `The baseline is of the profile ${baseline.profile}, this run of ${profile}: requirements of one of them are newly verified or no longer verified`;
  const nothing: Group = { what: "No requirement has another verdict", ids: [] };
  return [
    {
      title: `Compared with ${baseline.file} (${baseline.of}, profile ${baseline.profile}, ${baseline.startedAt.slice(0, 10)})`,
      severity: newFailures.length > 0 ? "error" : noLongerVerified.length > 0 ? "warning" : "information",
      groups: [
        ...(baseline.profile === profile ? [] : [{ what: other, ids: [] }]),
        ...(groups.length === 0 ? [nothing] : groups),
      ],
    },
  ];
}

/** What the exit code means: `2 new failures compared with before.json`. */
export function baselineMeaning({ file, newFailures, knownFailures }: Comparison): string {
  const known = knownFailures.length === 0 ? "" : `, ${count(knownFailures.length, "known failure")}`;
  const found = newFailures.length === 0 ? "no new failure" : count(newFailures.length, "new failure");
  return `${found} compared with ${file}${known}`;
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
