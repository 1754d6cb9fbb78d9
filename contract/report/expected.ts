import { stringify } from "yaml";
import type { ReportExcused, ReportExpectedFailure, ReportVerdict } from "../../generated/schema-types.ts";
import { usageError } from "../../lib/user-error.ts";
import type { ExpectedFailure } from "../config/load.ts";
import { requestName } from "../exchange.ts";
import { isOutside } from "../plan.ts";
import { operationsOfRequirement } from "../selection.ts";
import { brief } from "../text.ts";
import { type ContractResult, type RequirementVerdict, verdictsOf } from "./result.ts";

/** Where a requirement passes or fails. */
export interface Place {
  id: string;
  operation: string | undefined;
  /** The test case with the title of its check, as in the JUnit report. */
  name: string;
  /** Where two clients differ. */
  at?: string | undefined;
  verdict?: ReportVerdict;
}

type Found = Pick<ContractResult, "traffic" | "checks" | "responseChecks">;

export const isFailure = (verdict: RequirementVerdict | undefined): boolean =>
  verdict === "fail" || verdict === "error";

const textOf = ({ expected, found }: { expected: string; found: string }): string =>
  `expected ${expected}, found ${found}`;

/** Where each requirement passes or fails, before expected failures count, and why; `item` is the test case or the response. */
export function placesOf({ traffic, checks, responseChecks }: Found) {
  const ofCases = checks.flatMap(({ ids, title: check, cases }) =>
    cases.map((item) => {
      const { title, operation, verdict, failure, reason = "" } = item;
      // In traffic, titles count how often something happened.
      const name = title === "" || traffic !== undefined ? check : `${check}: ${title}`;
      const place = { ids, operation, name, verdict, at: undefined, found: failure?.found ?? reason };
      return { ...place, reason: failure ? textOf(failure) : reason, item };
    }),
  );
  const ofResponses = responseChecks.flatMap(({ ids, title: name, verdict, failures }) => {
    const passed: (typeof failures)[number] = { expected: "", found: "", exchange: null };
    return (verdict === "pass" ? [passed] : failures).map((item) => {
      const operation = item.exchange === null ? undefined : requestName(item.exchange).operation;
      return { ids, operation, name, verdict, at: item.at, found: item.found, reason: textOf(item), item };
    });
  });
  return [...ofCases, ...ofResponses].flatMap((one) => one.ids.map((id) => ({ id, ...one })));
}

/** Marks the failures that are excused for each of their requirements, in place of earlier marks with the same word. */
export function excuse(result: Found, isExcused: (place: Place) => boolean, word: ReportExcused): void {
  for (const { ids, item, ...place } of placesOf(result)) {
    if (item.excused === word) delete item.excused;
    if (isFailure(place.verdict) && ids.every((id) => isExcused({ ...place, id }))) item.excused ??= word;
  }
  // Reports show the first one.
  for (const { failures } of result.responseChecks)
    failures.sort((one, other) => Number(!!one.excused) - Number(!!other.excused));
}

const covers = (entry: ExpectedFailure, { id, operation, name, at = "" }: Place): boolean =>
  entry.id === id &&
  (entry.at === undefined || entry.at.includes(at)) &&
  (entry.operation === undefined || entry.operation === operation) &&
  (entry.case === undefined || entry.case === name);

/** How many texts reports have. */
const maxFound = 5;

/** What an entry covers. Another time is no other failure. */
export function coveredBy(entry: ExpectedFailure, places: ReturnType<typeof placesOf>) {
  const own = places.filter((place) => place.verdict === "fail" && covers(entry, place));
  const kinds = new Map(own.map(({ found }) => [found.replaceAll(/\d{4}-\S+/g, ""), found]));
  const found = [...kinds.values()].slice(0, maxFound);
  return own.length === 0 ? {} : { covered: { failures: own.length, found } };
}

/** Whether the last day of an entry is over. @param at default: now */
export const isExpired = ({ until }: Pick<ExpectedFailure, "until">, at = new Date()): boolean =>
  until !== undefined && until < at.toISOString().slice(0, 10);

/** @throws UserError if others cannot read of an entry who will fix what fails, and by when. @param of the report that has the entries */
export function assertPublic(entries: readonly ExpectedFailure[], of = ""): void {
  const incomplete = entries.find(({ reason, owner, until }) => !(reason?.trim() && owner?.trim() && until));
  if (incomplete === undefined) return;
  const message = `${of}the expected failure ${incomplete.id} lacks a reason, an owner or a last day (until)`;
  throw usageError(message, "Add them to the list: others read them as an exception from a level.");
}

/** Whether a failure is expected by an entry that has not expired. An error never is: it does not show what would fail. */
export function expectationOf(entries: readonly ExpectedFailure[]): (place: Place) => boolean {
  const valid = entries.filter((entry) => !isExpired(entry));
  return (place) => place.verdict !== "error" && valid.some((entry) => covers(entry, place));
}

/**
 * What the run shows of an entry.
 * @param verdict that of its requirement; undefined if the run does not test it
 */
export function stateOf(
  entry: ExpectedFailure,
  places: ReturnType<typeof placesOf>,
  verdict: RequirementVerdict | undefined,
): ReportExpectedFailure["state"] {
  if (isExpired(entry)) return "expired";
  if (verdict === undefined) return "not tested";
  const own = places.filter((place) => covers(entry, place)).map((place) => place.verdict);
  if (own.includes("fail")) return "fails";
  const passes = own.length > 0 && own.every((one) => one === "pass");
  return verdict === "pass" || passes ? "passes" : "not tested";
}

/** The expired entries, and whether they can go. Traffic may only lack what shows a failure. */
export function expiredOf(result: ContractResult) {
  const { expectedFailures = [], notImplemented = [], traffic } = result;
  return expectedFailures.flatMap((entry) => {
    const { id, state, operation } = entry;
    if (state !== "expired") return [];
    const own = operation === undefined ? operationsOfRequirement(id) : [operation];
    const passes = traffic === undefined && verdictsOf(result).get(id) === "pass";
    return [{ ...entry, canGo: passes || isOutside(own, notImplemented) }];
  });
}

/** Characters. */
const maxReason = 300;

const top = `# What fails in one run of email-api-contract. Say why in each reason, and give
# an entry an owner and a last day (until: 2026-12-31), after which it fails again.
`;

/**
 * A list of expected failures with what fails in a run. Entries of its own list stay as they are if they still fail, or the run does not show it; also
 * those that have expired.
 */
export function expectedFile(result: ContractResult): string {
  const places = placesOf(result);
  const own = (result.expectedFailures ?? [])
    .filter(({ state }) => state !== "passes")
    .map(({ state: _, covered: __, ...entry }): ExpectedFailure => entry);
  const entries = [...own];
  for (const place of places.filter(({ verdict }) => verdict === "fail")) {
    if (entries.some((entry) => covers(entry, place))) continue;
    const { id, operation, name, at, item } = place;
    const written = entries.slice(own.length).find((entry) => entry.id === id && entry.case === name);
    if (at && written?.at?.push(at)) continue;
    const others = places.filter((one) => one.id === id && one.operation === operation);
    // How many responses pass a rule is not known by operation.
    const isRule = !("verdict" in item);
    const isWhole = operation !== undefined && !isRule && others.every(({ verdict }) => isFailure(verdict));
    // Between two clients, a difference is one thing to decide on, whatever the operation.
    const isOfAll = operation === undefined || result.client?.against !== undefined;
    const ofCase = { ...(!isOfAll && { operation }), case: name, ...(at && { at: [at] }) };
    entries.push({ id, ...(isWhole ? { operation } : ofCase), reason: brief(place.reason, maxReason) });
  }
  const order = result.requirements.map(({ id }) => id);
  const sorted = entries.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  return top + stringify(sorted, { lineWidth: 0 });
}
