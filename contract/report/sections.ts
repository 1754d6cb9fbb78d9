import { operations } from "../../generated/operations.ts";
import { count, firstLine } from "../../lib/text.ts";
import { isOptionalSetting } from "../engine/settings.ts";
import { inShort, listOf } from "../text.ts";
import { expiredOf, placesOf } from "./expected.ts";
import { type ContractResult, untested } from "./result.ts";

/** Requirements with something in common, or a fact about the run. */
export interface Group {
  /** A sentence without a full stop; empty if the title of the section says all. */
  what: string;
  ids?: string[];
  /** Whether these are too many for a line: only the HTML report lists them. */
  isFolded?: boolean;
  /** Characters of the sentence that reports show; default: each report has its own number. */
  most?: number;
  /** What the first of them shows, line by line, such as the output of a program. */
  detail?: string[];
}

/** A list that reports show below the failures. */
export interface Section {
  /** What some reports show in a way of its own. Entries are those of the list of expected failures. */
  kind?: "causes" | "entries" | "stale entries" | "outside" | "errors";
  title: string;
  severity: "error" | "warning" | "information";
  groups: Group[];
}

/** Longer lists are folded. */
const maxIds = 20;

export const sectionsOf = (result: ContractResult): Section[] => [
  ...baselineSection(result),
  ...ownSections(result),
];

/** The needs of an application that a report does not show to be met. */
export function needsSections({ needs }: ContractResult): Section[] {
  const groupsOf = (labels: readonly string[] = []): Group[] =>
    [...Map.groupBy(labels, (label) => label.replace(/: .*/s, ""))].map(([kind, own]) => ({
      what: `${kind}: ${own.map((label) => label.slice(kind.length + 2)).join(", ")}`,
      most: Number.POSITIVE_INFINITY,
    }));
  const sections: Section[] = [
    { title: "Needs that are not met", severity: "error", groups: groupsOf(needs?.missing) },
    { title: "Needs that the report does not show", severity: "warning", groups: groupsOf(needs?.notShown) },
  ];
  return sections.filter(({ groups }) => groups.length > 0);
}

/** What reports say about the comparison; nothing without a baseline. */
export function baselineSection({ baseline, profile }: ContractResult): Section[] {
  if (baseline === undefined) return [];
  const { newFailures, noLongerVerified } = baseline;
  const rows: [string, string[]][] = [
    ["New failures", newFailures],
    ["Fixed", baseline.fixed],
    ["Newly verified", baseline.newlyVerified],
    ["No longer verified", noLongerVerified],
    ["Known failures", baseline.knownFailures],
  ];
  const groups: Group[] = rows
    .filter(([, ids]) => ids.length > 0)
    .map(([name, ids]) => ({ what: `${name} (${ids.length})`, ids, isFolded: ids.length > maxIds }));
  if (groups.length === 0) groups.push({ what: "No requirement has another verdict" });
  const { missingCases = 0 } = baseline;
  if (missingCases > 0)
    groups.push({
      what: `${count(missingCases, "test case")} of the baseline ${missingCases === 1 ? "is" : "are"} not in this run and not compared: left out, or of a check that has another title by now`,
    });
  if (baseline.profile !== profile)
    groups.unshift({
      what: `The baseline is of the profile ${baseline.profile}, this run of ${profile}: requirements of one of them are newly verified or no longer verified`,
    });
  return [
    {
      title: `Compared with ${baseline.file} (${baseline.of}, profile ${baseline.profile}, ${baseline.startedAt.slice(0, 10)})`,
      severity: newFailures.length > 0 ? "error" : noLongerVerified.length > 0 ? "warning" : "information",
      groups,
    },
  ];
}

/** Those that are not about the baseline. */
export function ownSections(result: ContractResult): Section[] {
  const { information, resetError, client, traffic, baseline, expectedFailures = [] } = result;
  const isServer = client === undefined;
  const stale = expectedFailures.filter(({ state }) => state === "passes");
  const places = stale.length === 0 ? [] : placesOf(result);
  const hasCase = ({ id, case: name }: Entry): boolean =>
    name === undefined || places.some((place) => place.id === id && place.name === name);
  const sections: Section[] = [
    ...needsSections(result),
    ...[false, true].map((canGo) => ({
      kind: "entries" as const,
      title: `Expired expected failures${canGo ? ", which pass or are not implemented: remove their entries" : ": fix them, or agree on another day"}`,
      severity: "error" as const,
      groups: groupsOf(expiredOf(result).filter((one) => one.canGo === canGo)),
    })),
    {
      kind: "entries",
      title: "Expected failures",
      severity: "warning",
      groups: groupsOf(expectedFailures.filter(({ state }) => state === "fails")),
    },
    ...[true, false].map((isKnown) => ({
      kind: "stale entries" as const,
      title: isKnown
        ? "Stale expected failures, which pass: remove their entries"
        : "Expected failures whose case is none of this run: correct its name, as in the JUnit report",
      // Traffic may only lack what shows them.
      severity: traffic === undefined && baseline === undefined ? ("error" as const) : ("warning" as const),
      groups: groupsOf(stale.filter((entry) => hasCase(entry) === isKnown)),
    })),
    { title: "Not verified", severity: "warning", groups: notVerified(result) },
    {
      kind: "outside",
      title: "Not tested, although the operation is there",
      severity: "warning",
      groups: byNeededOperation(result),
    },
    { kind: "errors", title: "Errors", severity: "error", groups: errors(result) },
    {
      title: "The server was not reset to its state before the run",
      severity: "error",
      groups: resetError === undefined ? [] : [{ what: resetError }],
    },
    {
      title: isServer
        ? "Additions of the server to the document"
        : client.against
          ? "Not compared"
          : "Good practice that the client does not follow, which is allowed",
      severity: "information",
      groups: (isServer ? additions(information) : information).map((what) => ({ what })),
    },
  ];
  return sections.filter(({ groups }) => groups.length > 0);
}

/** Entries of the list of expected failures by what they say. */
const groupsOf = (entries: readonly Entry[]): Group[] =>
  groupedBy(entries, ({ operation, case: name, at, reason, owner, until, covered }) =>
    [operation, name, at && `at ${at.join(", ")}`, reason?.replace(/\.$/, ""), owner]
      .concat(until && `until ${until}`, coveredText(covered))
      .filter((part) => part !== undefined)
      .join("; "),
  );

/** The ids of requirements by what reports say of them. */
const groupedBy = <One extends { id: string }>(all: readonly One[], whatOf: (one: One) => string) =>
  [...Map.groupBy(all, whatOf)].map(([what, own]) => ({ what, ids: own.map(({ id }) => id) }));

/** How much an entry excuses, if it is more than one failure: one for a requirement also covers failures of another kind. */
function coveredText(covered: Entry["covered"]): string | undefined {
  if (covered === undefined || covered.failures === 1) return undefined;
  const { failures, found } = covered;
  const examples = found.length === 1 ? "" : `, such as ${found.slice(0, maxPlaces).join(", ")}`;
  return `covers ${failures} failures${examples}`;
}

type Entry = NonNullable<ContractResult["expectedFailures"]>[number];

/** More are counted. */
const maxPlaces = 3;

/** Each addition once, with where it was found: `header x-region: allowed (getMe 200, sendEmail 202)`. */
function additions(information: readonly string[]): string[] {
  const parts = information.map((text) => /^(.*) \(([^()]*)\)$/s.exec(text) ?? [text, text]);
  return [...Map.groupBy(parts, ([, what]) => what)].map(([what, own]) => {
    const places = own.flatMap(([, , place]) => place ?? []);
    return `${what}: allowed${places.length === 0 ? "" : ` (${inShort(places, maxPlaces)})`}`;
  });
}

function byNeededOperation(result: ContractResult): Group[] {
  const partly = result.requirements.filter(
    ({ verdict, needs }) => verdict === "pass" && needs !== undefined,
  );
  return groupedBy([...untested(result), ...partly], ({ reason = "" }) => reason.replace(/\.$/, ""));
}

/** What to set, the most useful first, then the other reasons. */
function notVerified(result: ContractResult): Group[] {
  const settings = missingSettings(result);
  const ofSettings = new Set(settings.flatMap(({ ids }) => ids));
  const others = { ...result, requirements: result.requirements.filter(({ id }) => !ofSettings.has(id)) };
  const reasons = byReason(others, "not verified", ({ reason, needs }) =>
    result.client && needs ? missingOperations(result.client.operations) : reason,
  );
  return [
    ...settings.map(({ settings: names, ids }) => {
      const set = `Set ${listOf(names.map((name) => `\`${name}\``))}: ${count(ids.length, "more requirement")}`;
      // A server may be unable to have some settings: a run without them is complete if it says so.
      const optional = names.filter(isOptionalSetting).join(" ");
      const what = optional === "" ? set : `${set}, or leave them out: \`--without ${optional}\``;
      return { what, ids, isFolded: true };
    }),
    // The table counts by topic what traffic does not show.
    ...reasons.map(({ what, ids }) =>
      result.traffic !== undefined && ids.length > maxIds
        ? { what: `${what}: ${count(ids.length, "requirement")}`, ids, isFolded: true }
        : { what, ids },
    ),
  ];
}

/** Errors by the first line of their reason, with the others of the first error. */
function errors(result: ContractResult): Group[] {
  const reasons = result.checks.flatMap(({ cases }) => cases.flatMap(({ reason }) => reason ?? []));
  const known = result.baseline?.knownFailures ?? [];
  const requirements = result.requirements.filter(({ id }) => !known.includes(id));
  return byReason({ ...result, requirements }, "error", ({ reason }) => firstLine(reason)).map((group) => {
    const [, ...detail] = reasons.find((reason) => firstLine(reason) === group.what)?.split("\n") ?? [];
    return { ...group, ...(detail.length > 0 && { detail }) };
  });
}

function missingOperations(own: readonly string[]): string {
  const all = Object.keys(operations);
  const missing = all.filter((name) => !own.includes(name));
  return `The driver has ${own.length} of ${all.length} operations; it lacks ${missing.join(", ")}`;
}

/** The reasons of each requirement with a verdict: those of its test cases, or else its own. */
const reasonsOf = ({ requirements, checks }: ContractResult, verdict: Open) =>
  requirements.flatMap(({ id, ...requirement }) => {
    if (requirement.verdict !== verdict) return [];
    const cases = checks.filter(({ ids }) => ids.includes(id)).flatMap((check) => check.cases);
    const open = cases.filter((one) => one.verdict === verdict && one.excused === undefined);
    const shown = open.length === 0 && requirement.reason !== undefined ? [requirement] : open;
    return [{ id, reasons: shown.map(({ reason = "No reason", needs }) => ({ reason, needs })) }];
  });

type Open = "not verified" | "error";

interface Reason {
  reason: string;
  needs: string[] | undefined;
}

/** The requirements with a verdict by reason, the largest group first. */
function byReason(result: ContractResult, verdict: Open, describe: (reason: Reason) => string) {
  const rows = reasonsOf(result, verdict).flatMap(({ id, reasons }) => {
    const described = new Set(reasons.map((reason) => describe(reason).replace(/\.$/, "")));
    return [...described].map((what) => ({ id, what }));
  });
  return groupedBy(rows, ({ what }) => what).sort((one, other) => other.ids.length - one.ids.length);
}

/**
 * What to set, the settings that most requirements need first. Each requirement that nothing else keeps from being verified is in one entry, that of
 * the last setting that it needs: an entry counts what it enables in addition to those before it. Settings that enable nothing by themselves stand with
 * the next one.
 */
export function missingSettings(result: ContractResult) {
  // Those that are not verified for nothing else.
  const needs = reasonsOf(result, "not verified").flatMap(({ id, reasons }) => {
    if (result.client || reasons.length === 0 || reasons.some((one) => one.needs === undefined)) return [];
    return [{ id, settings: [...new Set(reasons.flatMap((one) => one.needs ?? []))].toSorted() }];
  });
  const used = needs.flatMap(({ settings }) => settings);
  const uses = [...Map.groupBy(used, (setting) => setting)];
  const order = uses.sort(([, one], [, other]) => other.length - one.length).map(([setting]) => setting);
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
