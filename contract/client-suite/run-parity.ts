import type { OperationId } from "../../generated/operations.ts";
import { isTree, jsonOf, mapValues, sortedJson } from "../../lib/objects.ts";
import { count } from "../../lib/text.ts";
import { type CaseOutcome, Observations, recordText } from "../engine/outcome.ts";
import { outcomeOf } from "../engine/run-case.ts";
import { redactor } from "../engine/secrets.ts";
import type { PlannedCase } from "../plan.ts";
import { headingOf } from "../report/result.ts";
import type { StartDriver } from "./driver/protocol.ts";
import { type Alike, compareCalls, ofUnknownType } from "./engine/call-differences.ts";
import { type ClientTester, usualTimeout } from "./engine/client-tester.ts";
import { isDecimal, isTime, serviceTime } from "./engine/compare.ts";
import type { RecordedCall } from "./engine/recorded-call.ts";
import { requirementOf } from "./engine/reply-checks.ts";
import { type ClientRunOptions, type EndedCase, runClient } from "./run-client.ts";

/**
 * Runs test cases on two clients, one after the other, and compares their requests, results and errors: a requirement passes if both do the same
 * where it is about.
 * @throws DriverError if a driver does not start
 */
export async function runParity(options: ClientRunOptions, startOther: StartDriver) {
  const others = new Map<PlannedCase<ClientTester>, EndedCase>();
  const { capabilities: other } = await runClient({
    ...options,
    startDriver: startOther,
    onEnd: (planned, ended) => others.set(planned, ended),
  });
  const observed = new Observations();
  const keys = new Set<string>();
  const { capabilities } = await runClient({
    ...options,
    onEnd: (planned, ended) => {
      const otherEnded = others.get(planned) as EndedCase;
      for (const { tester } of [ended, otherEnded]) keys.add(tester.service.key);
      compareCase(observed, ended, otherEnded);
    },
  });
  for (const operation of other.operations as OperationId[]) {
    const has = capabilities.operations.includes(operation);
    const failure = { expected: operation, found: "no such operation", at: operation };
    const ids = [requirementOf(operation)];
    observed.note(undefined, { ids, title: "has the operation", ...(!has && { failure }) });
  }
  const redact = redactor([...keys]);
  const check = { ids: [], title: "both clients do the same", tags: [] };
  const outcome = await outcomeOf(observed, { check, testCase: { title: "" }, redact }, async () => {});
  sayWhere(outcome, redact);
  const client = `${capabilities.client} compared with ${other.client}`;
  return { capabilities: { ...capabilities, client }, outcomes: [outcome] };
}

/** Says of each difference where it is, whatever the operation, and lets the simplest call that shows it be the first. */
function sayWhere({ responseChecks }: CaseOutcome, redact: (text: string) => string): void {
  const failed = responseChecks.filter(({ failures }) => failures.length > 0);
  const titles = new Set(failed.map(({ title }) => title));
  for (const one of failed) {
    const usual = one.title.replace(ofUnknownType, "");
    if (titles.has(usual)) one.title = usual;
  }
  for (const [title, own] of Map.groupBy(failed, (one) => one.title)) {
    const failures = own.flatMap((one) => one.failures);
    const calls = failures.map(({ exchange, found }) => exchange?.call?.line ?? found);
    const places = calls.map((line) => /(?<="operation":")\w+/.exec(line)?.[0]);
    const what = failures.map(({ at }) => at);
    const [of, details] = [places, what].map((all) => [...new Set(all.filter(Boolean))].sort().join(", "));
    const number = new Set(failures.map((one) => one.exchange ?? one)).size;
    const cause = `In ${count(number, "case")}${of && ` of ${of}`}${details && `: ${details}`}`;
    for (const failure of failures) failure.cause = recordText(cause, redact);
    for (const one of own) one.title = redact(title);
  }
  for (const { failures } of failed) failures.sort((one, other) => weightOf(one) - weightOf(other));
  responseChecks.sort(({ failures: [one] }, { failures: [other] }) => weightOf(one) - weightOf(other));
}

/** The shorter a call is, the better it shows a difference; a call without a response shows less. */
const weightOf = (failure?: CaseOutcome["responseChecks"][number]["failures"][number]): number =>
  (failure?.exchange?.response.status ? 0 : 20_000) + (failure?.exchange?.call?.line.length ?? 0);

/** Compares what two clients did in a test case, as long as it makes the same calls. */
function compareCase(observed: Observations, own: EndedCase, other: EndedCase): void {
  const pairs = new Pairs();
  pairs.note(own.tester.service.key, other.tester.service.key);
  const [found, expected] = [own.outcome, other.outcome];
  if (found.verdict !== expected.verdict && [found.verdict, expected.verdict].includes("error")) {
    const failure = { expected: expected.reason ?? "no error", found: found.reason ?? "no error" };
    observed.note(undefined, { ids: found.ids, title: "the driver does not fail", failure });
  }
  const [ownCalls, otherCalls] = [own.tester.calls, other.tester.calls];
  for (const index of Array(Math.max(ownCalls.length, otherCalls.length)).keys()) {
    const [called, otherCall] = [ownCalls[index], otherCalls[index]];
    if (called === undefined || otherCall === undefined || !isSameCall(called, otherCall, pairs)) {
      observed.information.add(`${headingOf(found)}: after the first different call, calls are not compared`);
      return;
    }
    if (isWaiting(called) !== isWaiting(otherCall)) {
      observed.information.add(`${headingOf(found)}: one client still waited, and is not compared`);
      return;
    }
    for (const [at, { response }] of called.wire.entries()) {
      const { headers, body } = otherCall.wire[at]?.response ?? {};
      pairs.note(response?.headers, headers);
      pairs.note(jsonOf(String(response?.body)), jsonOf(String(body)));
    }
    observed.requests += called.wire.length;
    // What the suite finds in a request is no cause of a difference.
    for (const one of called.exchanges) one.faults = [];
    observed.note(called.exchanges.at(-1), ...compareCalls(called, otherCall, pairs.alike));
  }
}

/** Whether a test case gives both clients the same arguments: those that come from earlier replies are as a client returned them. */
function isSameCall({ call: own }: RecordedCall, { call: other }: RecordedCall, pairs: Pairs): boolean {
  const [found, expected] = [own, other].map(({ path, body }) => ({ path, body }));
  pairs.note(found, expected);
  const [one, another] = pairs.alike(found, expected).map(sortedJson);
  return own.operation === other.operation && one === another;
}

/** Whether a client may only not have replied yet: in a short time, its random pauses before retries decide. */
const isWaiting = ({ reply, milliseconds }: RecordedCall): boolean =>
  reply === undefined && milliseconds < usualTimeout;

/** A time by its second, because clients write the same one in different ways. */
const keyOf = (text: string): string =>
  isTime(text) ? `second ${Math.floor(Date.parse(text) / 1000)}` : text;

/** Values that differ between two runs whatever the clients do: keys, ids, times and what else makes the calls of a run unique. */
class Pairs {
  readonly #own = new Map<string, string>();
  readonly #other = new Map<string, string>();

  /** Notes the texts at the same places of two values, of which one is of either run. */
  note(own: unknown, other: unknown): void {
    if (typeof own === "string" && typeof other === "string" && own !== other)
      for (const change of [keyOf, encoded]) {
        const name = isTime(other) ? serviceTime : other;
        this.#own.set(change(own), name);
        this.#other.set(change(other), name);
      }
    if (!isTree(own) || !isTree(other)) return;
    for (const name of Object.keys(own)) if (Object.hasOwn(other, name)) this.note(own[name], other[name]);
  }

  /** Two values with the same texts where each has its own one of a pair. */
  readonly alike: Alike = (own, other) => [replaced(own, this.#own), replaced(other, this.#other)];
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A value in which texts, and their words and segments of paths, are replaced. */
function replaced(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return names.get(keyOf(value)) ?? value.replaceAll(/[^ /]+/g, (part) => names.get(part) ?? part);
  if (Array.isArray(value)) return value.map((one) => replaced(one, names));
  return isTree(value) && !isDecimal(value) ? mapValues(value, (one) => replaced(one, names)) : value;
}
