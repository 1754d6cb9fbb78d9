import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { absent, operationAt } from "../exchange.ts";
import { brief } from "../text.ts";
import { errorTypeIn } from "./exchange-text.ts";
import {
  type ContractResult,
  exchangesOf,
  type FailedCase,
  type FailedCheck,
  failedCases,
} from "./result.ts";
import type { Group, Section } from "./sections.ts";

/** Unexpected failures with the same cause. */
export interface Finding {
  /** A sentence without a full stop; undefined for failures that have only what was expected and found in common. */
  cause: string | undefined;
  /** Whether an operation is missing: its failures show nothing more. */
  isMissing: boolean;
  /** The failures, the one that shows the cause with the least first. */
  cases: FailedCheck;
  /** The requirements that fail because of it, those of the first failure first. */
  ids: string[];
}

/** The unexpected failures of a run, by cause. */
export interface Diagnosis {
  /** Those that most requirements fail because of first. */
  findings: Finding[];
  /** The first failure of each finding, without those of missing operations. */
  others: FailedCase[];
  /** The other failures. */
  explained: FailedCase[];
}

/** What explains failures of several checks; nothing if nothing does. */
export function causesSection(findings: readonly Finding[]): Section[] {
  const groups = findings.flatMap(({ cause, isMissing, cases, ids }): Group[] => {
    const checks = new Set(cases.map(({ check }) => check));
    if (cause === undefined || (checks.size === 1 && !isMissing)) return [];
    const number = count(ids.length, "requirement fails", "requirements fail");
    return [{ what: `${cause}: ${number} because of it`, ids }];
  });
  return groups.length === 0 ? [] : [{ title: "Common causes", severity: "error", groups }];
}

/** Statuses that come before routing: they do not show whether an operation exists. */
const beforeRouting: readonly number[] = [401, 429];

export function diagnose(result: ContractResult): Diagnosis {
  const failed = failedCases(result).filter(({ isExpected }) => !isExpected);
  // Traffic and clients have other operations than a server.
  const isOfServer = result.client === undefined && result.traffic === undefined;
  const missing = missingOperations(isOfServer ? [...exchangesOf(result).keys()] : []);
  const ofCheck = new Map<string, string>();
  const keyed = failed.map((one) => {
    const missingName = missingAt(one, missing);
    const cause = missingName ?? one.cause;
    // The cases of a check are one finding, and so are checks that compare the same.
    const name = `${one.ids.join(" ")} ${one.check}`;
    const key = cause ?? ofCheck.get(name) ?? (isOfServer ? comparisonOf(one) : name);
    if (cause === undefined) ofCheck.set(name, key);
    return { key, cause, isMissing: missingName !== undefined, one };
  });
  const findings = [...Map.groupBy(keyed, ({ key }) => key).values()].flatMap((own): Finding[] => {
    const [first, ...rest] = own
      .map(({ one }) => one)
      .toSorted((one, other) => weightOf(one) - weightOf(other));
    const [shared] = own;
    if (first === undefined || shared === undefined) return [];
    const ids = [...new Set([first, ...rest].flatMap((one) => one.ids))];
    return [{ cause: shared.cause, isMissing: shared.isMissing, cases: [first, ...rest], ids }];
  });
  if (isOfServer) findings.sort((one, other) => other.ids.length - one.ids.length);
  const others = findings.flatMap(({ isMissing, cases }) => (isMissing ? [] : [cases[0]]));
  return { findings, others, explained: failed.filter((one) => !others.includes(one)) };
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
function missingOperations(exchanges: readonly RecordedExchange[]): Map<string, string> {
  const missing = new Map<string, string>();
  for (const [name, own] of Map.groupBy(exchanges, nameOf)) {
    const routed = own.filter(({ response }) => !beforeRouting.includes(response.status));
    const [first] = routed;
    if (name === undefined || first === undefined) continue;
    if (routed.every(({ response }) => absent.includes(response.status)))
      missing.set(name, describeResponse(first));
  }
  return missing;
}

/** Method and path template of the operation of a request. */
function nameOf({ method, path }: Pick<RecordedExchange, "method" | "path">): string | undefined {
  const id = operationAt(method, path);
  return id && `${operations[id].method} ${operations[id].path}`;
}

function describeResponse({ response: { status, body } }: RecordedExchange): string {
  const type = errorTypeIn(body);
  return type === undefined ? String(status) : `${status} ${brief(type, 60)}`;
}

/** The missing operation that explains a failure; undefined if none does, or if its 404 was the expected status. */
function missingAt(
  { exchanges, expected, source }: FailedCase,
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || "responses" in source) return undefined;
  const { status } = exchange.response;
  // Another method at the path of a missing operation is not rejected as one, either.
  const { method, path } = exchange;
  const isAt = (one: string): boolean => nameOf({ method: one.split(" ")[0] ?? method, path }) === one;
  const name = nameOf(exchange) ?? [...missing.keys()].find(isAt);
  const isAbsent = absent.includes(status) && !expected.includes(String(status));
  const response = name === undefined ? undefined : missing.get(name);
  return isAbsent && response !== undefined ? `${name} always responds with ${response}` : undefined;
}
