import { type OperationId, operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import { repeatedAnew, someFields } from "../engine/cause.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { absent, isReplay, operationAt } from "../exchange.ts";
import { isShape } from "../response-checks/encoded.ts";
import { serverFailure } from "../response-checks/errors.ts";
import { entryOf, mentions, notInUtc, timeNamesIn } from "../response-checks/faults.ts";
import { brief, inShort } from "../text.ts";
import { errorTypeIn } from "./exchange-text.ts";
import { type ContractResult, exchangesOf, type FailedCase, failedCases, textsOf } from "./result.ts";
import type { Group, Section } from "./sections.ts";

/** Unexpected failures with the same cause. */
export interface Finding {
  /** A sentence without a full stop; undefined for failures that have only what was expected and found in common. */
  cause: string | undefined;
  /** The operation that is missing, if that is why: its failures show nothing more. */
  missing: OperationId | undefined;
  /** The failure that shows the cause with the least. */
  first: FailedCase;
  /** All failures, the first one first. */
  cases: FailedCase[];
  /** The requirements that fail because of it, those of the first failure first. */
  ids: string[];
}

/** What explains failures of several checks; nothing if nothing does. */
export function causesSection(findings: readonly Finding[]): Section[] {
  const groups = findings.flatMap(({ cause, missing, cases, ids }): Group[] => {
    const checks = new Set(cases.map(({ check }) => check));
    if (cause === undefined || (checks.size === 1 && !missing)) return [];
    const number = count(ids.length, "requirement fails", "requirements fail");
    return [{ what: `${cause}: ${number} because of it${missing ? "; see notImplemented" : ""}`, ids }];
  });
  const missing = findings.flatMap((one) => one.missing ?? []);
  const what = `What does not exist yet: \`notImplemented: [${missing.join(", ")}]\` takes it out of the run`;
  if (missing.length > 0) groups.push({ what });
  return groups.length === 0 ? [] : [{ kind: "causes", title: "Common causes", severity: "error", groups }];
}

/** Statuses that come before routing: they do not show whether an operation exists. */
const beforeRouting: readonly number[] = [401, 429];

/** The unexpected failures of a run by cause: in a run on a server, that of most requirements first, then that which shows the most. */
export function diagnose(result: ContractResult): Finding[] {
  // Traffic and clients have other operations than a server.
  const isOfServer = result.client === undefined && result.traffic === undefined;
  const absences = isOfServer ? missingOperations(result) : new Map<OperationId, string>();
  const shared = isOfServer ? sharedIds(result) : [];
  const failed = failedCases(result).filter(({ excused }) => excused === undefined);
  const explained = failed.map((one) => {
    const missing = missingAt(one, [...absences.keys()]);
    const isShared = shared.some((id) => one.exchanges.at(-1)?.path.endsWith(`/emails/${id}`));
    const cause = missing
      ? absences.get(missing)
      : isShared
        ? "Several messages have the same id"
        : one.cause;
    return { ...one, ...(cause && { cause }), missing };
  });
  // A failure without a cause joins those that it has most in common with: those with a cause come first.
  const inOrder = explained.toSorted((one, other) => Number(!one.cause) - Number(!other.cause));
  const keys = new Map<string, string>();
  const diagnosed = inOrder.map((one) => {
    const labels = labelsOf(one, result);
    const key = one.cause ?? labels.flatMap((label) => keys.get(label) ?? [])[0] ?? labels[0] ?? "";
    for (const label of labels) if (!keys.has(label)) keys.set(label, key);
    // Two differences between clients can be at the same place of the same calls.
    return { ...one, key: result.client?.against ? one.check : key };
  });
  const texts = textsOf(result);
  // Traffic shows the rules for each response first, then what single requests lead to; a comparison, the simplest calls.
  const isInOrder = result.traffic ?? result.client?.against;
  const weigh = (one: FailedCase): number => (isInOrder ? 0 : weightOf(one, texts));
  const findings = [...Map.groupBy(diagnosed, ({ key }) => key).values()].flatMap((own): Finding[] => {
    const cases = own.toSorted((one, other) => weigh(one) - weigh(other));
    const [first] = cases;
    if (first === undefined) return [];
    const ids = [...new Set(cases.flatMap((one) => one.ids))];
    const cause = first.cause && first.cause + extentOf(first.cause, cases, result);
    return [{ cause, missing: first.missing, first, cases, ids }];
  });
  // What follows from another fault stands after it, and what only random sequences show stands last.
  const extent = ({ cause, first, ids }: Finding): number =>
    first.repeat === undefined && !cause?.startsWith(entryOf) && cause !== someFields ? ids.length : 0;
  if (isOfServer)
    findings.sort((one, other) => extent(other) - extent(one) || weigh(one.first) - weigh(other.first));
  return findings;
}

/** The operations that a server failure is of, the keys that are rejected, the times that are wrong, or that other requests are replayed; whether a property is missing in every response. */
function extentOf(cause: string, cases: readonly FailedCase[], result: ContractResult): string {
  if (cause === repeatedAnew)
    return exchangesOf(result).some(({ exchange }) => isReplay(exchange.response))
      ? ", others are replayed"
      : "";
  const tallies = cases.flatMap(({ source }) => ("responses" in source ? [source] : []));
  const isEverywhere = tallies.length > 0 && tallies.every(({ responses, failed }) => responses === failed);
  if (isEverywhere && /^\S+ is missing$/.test(cause)) return " in every response";
  const times = cases.flatMap(({ found }) => timeNamesIn(found));
  if (cause === notInUtc && times.length > 0) return ` (${[...new Set(times)].join(", ")})`;
  const isOfKeys = cause.startsWith("Valid requests are rejected");
  if (!isOfKeys && !cause.startsWith(serverFailure)) return "";
  const last = cases.flatMap(({ exchanges }) => exchanges.slice(-1));
  const names = last.map((one) => (isOfKeys ? `keys.${one.key ?? "full"}` : (nameOf(one) ?? "other paths")));
  return names.length === 0 ? "" : ` (${inShort([...new Set(names)], 3)})`;
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

/**
 * What failures of one finding have in common: the check, what it compared, and on a server a property that their requirement names. Only of a rule for
 * each response, or of the same comparison, other failures have the cause of one.
 */
function labelsOf(one: FailedCase, { client, traffic, requirements }: ContractResult): string[] {
  const name = `${one.ids.join(" ")} ${one.check}`;
  if (client) return one.cause ? [] : [name];
  const compared = traffic ? comparisonInTraffic(one) : comparisonOf(one);
  const [id] = one.ids;
  const same = traffic || one.repeat ? [] : [`${id} ${compared}`];
  if (one.cause) return "responses" in one.source ? [name, ...same] : same;
  const names = namesIn(requirements.find((row) => row.id === id)?.text ?? "");
  const own = same.length > 0 ? names.filter((property) => mentions(one.expected, property)) : [];
  return [name, ...same, ...(compared ? [compared] : []), ...own.map((property) => `${id} ${property}`)];
}

/** What a failure in traffic compared, with the requirement that is about it in each operation; undefined if it is a status, which has many reasons. */
function comparisonInTraffic(one: FailedCase): string | undefined {
  const isOfStatus = /^(status )?["\d]/.test(one.expected) && !/^2\d\d$/.test(one.found);
  return isOfStatus ? undefined : `${one.ids.find(isShape) ?? one.ids[0]} ${comparisonOf(one)}`;
}

/** The properties and headers that the text of a requirement names. */
const namesIn = (text: string): string[] => text.match(/(?<=`)[\w.-]+(?=`)/g) ?? [];

/** Characters of bodies: reports cut longer ones. */
const maxRead = 1000;

/**
 * The less of it there is to read, the better a failure shows the cause; best is a rule for each response, last a random sequence. Requirements
 * that name what was expected, or the property of the cause, come first; those whose request only prepares what is compared come later.
 */
function weightOf(one: FailedCase, texts: ReadonlyMap<string, string>): number {
  const { cause, check, steps, exchanges, ids, source, repeat, expected } = one;
  const { request, response } = exchanges.at(-1) ?? {};
  const length = Math.min(maxRead, (request?.body?.length ?? 0) + (response?.body.length ?? 0));
  const isDue = exchanges.at(-1)?.call !== undefined && cause?.endsWith(check) !== true;
  const isRule = "responses" in source && cause !== undefined && !isDue;
  const text = ids.map((id) => texts.get(id) ?? "").join(" ");
  const names = namesIn(text);
  const [, property = ""] = /^(\S+) is /.exec(cause ?? "") ?? [];
  const isNamed =
    mentions(text, property) || names.some((name) => name === property || mentions(expected, name));
  return (
    (isRule ? 0 : repeat === undefined ? 1000 : 6000) +
    (steps.length + exchanges.length) * 500 +
    (isRule || isNamed ? 0 : 2000) +
    (expected === "success" ? 2000 : 0) +
    ids.length * 200 +
    length
  );
}

/** The operations that respond as if they did not exist, and what shows it: `GET /api/v1/me always responds with 404 not_found`. */
function missingOperations(result: ContractResult): Map<OperationId, string> {
  const routed = exchangesOf(result).flatMap(({ exchange }) =>
    beforeRouting.includes(exchange.response.status) ? [] : [exchange],
  );
  const missing = new Map<OperationId, string>();
  for (const [id, own] of Map.groupBy(routed, ({ method, path }) => operationAt(method, path))) {
    const [first] = own;
    const isAbsent = own.every(({ response }) => absent.includes(response.status));
    if (id === undefined || first === undefined || !isAbsent) continue;
    const type = brief(errorTypeIn(first.response.body) ?? "", 60);
    missing.set(id, `${nameOf(first)} always responds with ${first.response.status} ${type}`.trimEnd());
  }
  return missing;
}

/** The ids that sends of several messages returned. */
function sharedIds(result: ContractResult): string[] {
  const sent = exchangesOf(result).flatMap(({ exchange: { path, request, response } }) => {
    const [, id] = /"id": ?"([^"]+)"/.exec(response.body) ?? [];
    return id && path.endsWith("/emails") && !isReplay(response) ? [{ id, body: request.body }] : [];
  });
  const groups = [...Map.groupBy(sent, ({ id }) => id)];
  return groups.flatMap(([id, own]) => (new Set(own.map(({ body }) => body)).size > 1 ? [id] : []));
}

/** Method and path template of the operation of a request. */
function nameOf({ method, path }: Pick<RecordedExchange, "method" | "path">): string | undefined {
  const id = operationAt(method, path);
  return id && `${operations[id].method} ${operations[id].path}`;
}

/** The missing operation that explains a failure; undefined if none does, or if its 404 was the expected status. */
function missingAt({ exchanges, expected, source }: FailedCase, missing: readonly OperationId[]) {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || "responses" in source) return undefined;
  const { method, path, response } = exchange;
  if (!absent.includes(response.status) || expected.includes(String(response.status))) return undefined;
  const own = operationAt(method, path);
  // Another method at the path of a missing operation is not rejected as one, either.
  return missing.find((id) => id === (own ?? operationAt(operations[id].method, path)));
}
