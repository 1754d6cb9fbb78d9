import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { absent, operationAt } from "../exchange.ts";
import { serverFailure } from "../response-checks/errors.ts";
import { brief, inShort } from "../text.ts";
import { errorTypeIn } from "./exchange-text.ts";
import { type ContractResult, exchangesOf, type FailedCase, failedCases } from "./result.ts";
import type { Group, Section } from "./sections.ts";

/** Unexpected failures with the same cause. */
export interface Finding {
  /** A sentence without a full stop; undefined for failures that have only what was expected and found in common. */
  cause: string | undefined;
  /** Whether an operation is missing: its failures show nothing more. */
  isMissing: boolean;
  /** The failure that shows the cause with the least. */
  first: FailedCase;
  /** All failures, the first one first. */
  cases: FailedCase[];
  /** The requirements that fail because of it, those of the first failure first. */
  ids: string[];
}

/** What explains failures of several checks; nothing if nothing does. */
export function causesSection(findings: readonly Finding[]): Section[] {
  const groups = findings.flatMap(({ cause, isMissing, cases, ids }): Group[] => {
    const checks = new Set(cases.map(({ check }) => check));
    if (cause === undefined || (checks.size === 1 && !isMissing)) return [];
    const number = count(ids.length, "requirement fails", "requirements fail");
    return [{ what: `${cause}: ${number} because of it${isMissing ? "; see notImplemented" : ""}`, ids }];
  });
  return groups.length === 0 ? [] : [{ title: "Common causes", severity: "error", groups }];
}

/** Statuses that come before routing: they do not show whether an operation exists. */
const beforeRouting: readonly number[] = [401, 429];

/** The unexpected failures of a run by cause: in a run on a server, that of most requirements first. */
export function diagnose(result: ContractResult): Finding[] {
  // Traffic and clients have other operations than a server.
  const isOfServer = result.client === undefined && result.traffic === undefined;
  const missing = isOfServer ? missingOperations(result) : new Map<string, string>();
  const ofCheck = new Map<string, string>();
  const failed = failedCases(result).filter(({ excused }) => excused === undefined);
  const diagnosed = failed.map((one) => {
    const missingName = missingAt(one, missing);
    const cause = missingName ?? one.cause;
    // The cases of a check are one finding, and so are checks that compare the same.
    const name = `${one.ids.join(" ")} ${one.check}`;
    const key = cause ?? ofCheck.get(name) ?? (isOfServer ? comparisonOf(one) : name);
    if (cause === undefined) ofCheck.set(name, key);
    return { ...one, ...(cause && { cause }), isMissing: missingName !== undefined, key };
  });
  const findings = [...Map.groupBy(diagnosed, ({ key }) => key).values()].flatMap((own): Finding[] => {
    const cases = own.toSorted((one, other) => weightOf(one) - weightOf(other));
    const [first] = cases;
    if (first === undefined) return [];
    const ids = [...new Set(cases.flatMap((one) => one.ids))];
    const cause = first.cause && first.cause + operationsOf(first.cause, cases);
    return [{ cause, isMissing: first.isMissing, first, cases, ids }];
  });
  if (isOfServer) findings.sort((one, other) => other.ids.length - one.ids.length);
  return findings;
}

/** The operations that a server failure is of. */
function operationsOf(cause: string, cases: readonly FailedCase[]): string {
  if (!cause.startsWith(serverFailure)) return "";
  const names = cases.flatMap(({ exchanges }) => exchanges.slice(-1).map(nameOf));
  return ` (${inShort([...new Set(names.map((name) => name ?? "other paths"))], 3)})`;
}

/** Characters: a server decides how long texts are. */
const maxCompared = 300;

/** What a failure compared, without the values: those of other failures differ in ids, texts, times and numbers. */
function comparisonOf({ ids, expected, found }: FailedCase): string {
  // What is to be rejected is in each rule another value.
  if (/^(4\d\d|a status from 4)/.test(expected) && /^(status )?2\d\d\b/.test(found))
    return `${ids[0]} accepts`;
  const withoutValues = (text: string): string =>
    text
      .slice(0, maxCompared)
      .replace(/^status (?=\d)/, "")
      .replaceAll(/ \([^)]*\)/g, "")
      .replaceAll(/\b\d{4}-\d\d-\d\dT\S+/g, "time")
      .replaceAll(/"(?:[^"\\]|\\.)*"?|[{[].*/gs, "...")
      // Numbers of three digits can be statuses.
      .replaceAll(/\S*_\w*\d\S*|\b(?:\d{1,2}|[06-9]\d\d|\d{4,})\b/g, "0");
  return `${withoutValues(expected)} / ${withoutValues(found).replaceAll(/\b2\d\d\b/g, "2XX")}`;
}

/** The less of it there is to read, the better a failure shows the cause; best is a rule for each response, last a random sequence. */
function weightOf({ cause, steps, exchanges, ids, source, repeat }: FailedCase): number {
  const { request, response } = exchanges.at(-1) ?? {};
  const length = (request?.body?.length ?? 0) + (response?.body.length ?? 0);
  const isRule = "responses" in source && cause !== undefined;
  return (
    (isRule ? 0 : repeat === undefined ? 1000 : 3000) +
    (steps.length + exchanges.length) * 500 +
    ids.length * 200 +
    length
  );
}

/** The operations that respond as if they did not exist, by method and path, with the response: `404 not_found`. */
function missingOperations(result: ContractResult): Map<string, string> {
  const routed = exchangesOf(result).flatMap(({ exchange }) =>
    beforeRouting.includes(exchange.response.status) ? [] : [exchange],
  );
  const missing = new Map<string, string>();
  for (const [name, own] of Map.groupBy(routed, nameOf)) {
    const [first] = own;
    const isAbsent = own.every(({ response }) => absent.includes(response.status));
    if (name === undefined || first === undefined || !isAbsent) continue;
    const type = errorTypeIn(first.response.body);
    missing.set(name, `${first.response.status} ${type === undefined ? "" : brief(type, 60)}`.trimEnd());
  }
  return missing;
}

/** Method and path template of the operation of a request. */
function nameOf({ method, path }: Pick<RecordedExchange, "method" | "path">): string | undefined {
  const id = operationAt(method, path);
  return id && `${operations[id].method} ${operations[id].path}`;
}

/** The missing operation that explains a failure; undefined if none does, or if its 404 was the expected status. */
function missingAt(
  { exchanges, expected, source }: FailedCase,
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || "responses" in source) return undefined;
  const { method, path, response } = exchange;
  if (!absent.includes(response.status) || expected.includes(String(response.status))) return undefined;
  // Another method at the path of a missing operation is not rejected as one, either.
  const isAt = (one: string): boolean => nameOf({ method: one.split(" ")[0] ?? method, path }) === one;
  const name = nameOf(exchange) ?? [...missing.keys()].find(isAt);
  const shown = missing.get(name ?? "");
  return shown && `${name} always responds with ${shown}`;
}
