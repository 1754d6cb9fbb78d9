import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/count.ts";
import { missingOperation } from "../client-suite/driver/driver.ts";
import { isOptionalSetting } from "../engine/settings.ts";
import { listOf } from "../text.ts";
import { baselineSection } from "./baseline.ts";
import { missingSettings } from "./missing-settings.ts";
import type { ContractResult } from "./result.ts";
import type { Group, Section } from "./section.ts";

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
    ).map((group) => (result.traffic === undefined ? group : shortened(group))),
  ];
}

/** Longer lists of what traffic does not show are folded: the table counts them by topic. */
const maxUnseen = 20;

const shortened = ({ what, ids }: Group): Group =>
  ids.length > maxUnseen
    ? { what: `${what}: ${count(ids.length, "requirement")}`, ids: [], folded: ids }
    : { what, ids };

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

/** The requirements with a verdict by reason, the largest group first. */
function byReason(
  { requirements, checks }: ContractResult,
  verdict: "not verified" | "error",
  describe: (reason: string) => string,
): Group[] {
  const groups = new Map<string, string[]>();
  for (const { id, reason: own } of requirements.filter((one) => one.verdict === verdict)) {
    const cases = checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
    const reasons = cases.flatMap((one) => (one.verdict === verdict ? [one.reason ?? "No reason"] : []));
    const all = reasons.length === 0 && own !== undefined ? [own] : reasons;
    for (const what of new Set(all.map((reason) => describe(reason).replace(/\.$/, ""))))
      groups.set(what, [...(groups.get(what) ?? []), id]);
  }
  return [...groups]
    .map(([what, ids]) => ({ what, ids }))
    .sort((one, other) => other.ids.length - one.ids.length);
}
