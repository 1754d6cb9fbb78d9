import { escapeHtml } from "../../lib/html.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { visible } from "../text.ts";
import { checkedMessage, coverageLine, failedTimes, isBelowThreshold, missingLine } from "./counts.ts";
import { curlOf, notesOf, statusText } from "./exchange-text.ts";
import {
  type CaseResult,
  type CheckResult,
  type ContractResult,
  expectedIn,
  type ResponseCheckResult,
  repeatOf,
  shownExchanges,
} from "./result.ts";

/** A `testcase` element. */
interface Element {
  ids: string[];
  name: string;
  seconds: number;
  kind: "pass" | "failure" | "error" | "skipped";
  message: string;
  detail: string;
}

/**
 * The JUnit XML report: a suite per topic, a test case per test case and per response check, requirement ids as properties.
 * What is not verified, or is an expected failure, is skipped, as is a known failure of the baseline; a stale expected failure
 * fails, as does too low a coverage.
 */
export function junitReport(result: ContractResult): string {
  const topics = new Map([...result.requirements, ...result.notTested].map(({ id, topic }) => [id, topic]));
  const isExpected = expectedIn(result);
  const elements = [
    ...result.checks.flatMap((check) =>
      check.cases.map((one) => caseElement(check, one, isExpected(check.ids), result)),
    ),
    ...result.responseChecks.map((check) => responseCheckElement(check, isExpected(check.ids), result)),
  ];
  // With a baseline, only new failures fail.
  const stale = result.baseline === undefined ? result.stale.map((id) => staleElement(id, result)) : [];
  const ofCoverage = coverageElements(result);
  const byTopic = Object.entries(Object.groupBy(elements, ({ ids: [id = ""] }) => topics.get(id) ?? "other"));
  const all = [...byTopic, ["expected failures", stale] as const, ["coverage", ofCoverage] as const];
  const suites = all.flatMap(([topic, own = []]) => (own.length === 0 ? [] : [suite(topic, own, result)]));
  const time = (result.durationMilliseconds / 1000).toFixed(3);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: result.tool.name, ...countsOf([...elements, ...stale, ...ofCoverage]), time })}>
${suites.join("\n")}
</testsuites>
`;
}

function caseElement(
  { ids, title: check }: CheckResult,
  { title, verdict, failure, reason = "", exchanges, milliseconds }: CaseResult,
  isExpected: boolean,
  result: ContractResult,
): Element {
  const name = title === "" ? check : `${check}: ${title}`;
  const shared = { ids, name, seconds: milliseconds / 1000, message: "", detail: "" };
  if (verdict === "pass") return { ...shared, kind: "pass" };
  if (verdict === "not verified") return { ...shared, kind: "skipped", message: reason };
  if (verdict === "error")
    return { ...shared, kind: "error", message: reason.split("\n")[0] ?? "", detail: reason };
  const { expected = "", found = "", exchange = null, ...more } = failure ?? {};
  const shown = shownExchanges({ exchange, ...more }, exchanges, result);
  const comparison = { expected, found, exchanges: shown, repeat: repeatOf(more, check) };
  return { ...shared, ...failureElement(comparison, isExpected, result) };
}

function responseCheckElement(
  { ids, title, responses, failed, failures: [first] }: ResponseCheckResult,
  isExpected: boolean,
  result: ContractResult,
): Element {
  const shared = { ids, name: `every ${checkedMessage(result)}: ${title}`, seconds: 0 };
  if (first === undefined) return { ...shared, kind: "pass", message: "", detail: "" };
  const { exchange, ...comparison } = first;
  const shown = { ...comparison, exchanges: exchange === null ? [] : [exchange] };
  const { detail, ...others } = failureElement(shown, isExpected, result);
  return {
    ...shared,
    ...others,
    detail: `${failedTimes(result, failed, responses)}\n${detail}`,
  };
}

interface ShownFailure {
  expected: string;
  found: string;
  exchanges: readonly RecordedExchange[];
  /** The command that repeats it. */
  repeat?: string | undefined;
}

function failureElement(
  { expected, found, exchanges, repeat }: ShownFailure,
  isExpected: boolean,
  result: ContractResult,
): Pick<Element, "kind" | "message" | "detail"> {
  const message = `expected: ${expected}; found: ${found}`;
  if (isExpected)
    return {
      kind: "skipped",
      message: `${result.baseline === undefined ? "expected" : "known"} failure; ${message}`,
      detail: "",
    };
  const shown = exchanges.flatMap((exchange) => [
    ...notesOf(exchange, result).map(({ label, text }) => `${label}: ${text}`),
    `request: ${exchange.method} ${exchange.path}`,
    `response: ${statusText(exchange)} ${exchange.response.body}`,
    ...[curlOf(exchange, result)].filter(Boolean),
  ]);
  const again = repeat === undefined ? [] : [`repeat: ${repeat}`];
  const detail = [`expected: ${expected}`, `found: ${found}`, ...again, ...shown].join("\n");
  return { kind: "failure", message, detail };
}

const staleElement = (id: string, { traffic }: Pick<ContractResult, "traffic">): Element => ({
  ids: [id],
  name: `${id} still fails`,
  seconds: 0,
  // Traffic may only lack what shows it.
  kind: traffic === undefined ? "failure" : "skipped",
  message: "It is an expected failure, and passes.",
  detail: "Remove its entry from the expected failures.",
});

/** A test case for the coverage, if a threshold is set. */
function coverageElements({ coverage }: ContractResult): Element[] {
  if (coverage?.threshold === undefined) return [];
  const kind = isBelowThreshold({ coverage }) ? "failure" : "pass";
  const [message, detail] = [coverageLine(coverage), missingLine(coverage)];
  return [{ ids: [], name: "coverage", seconds: 0, kind, message, detail }];
}

function suite(
  topic: string,
  elements: readonly Element[],
  { startedAt, profile, baseUrl, client, runId }: ContractResult,
): string {
  const time = elements.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, "");
  const properties = Object.entries({
    profile,
    ...(client ? { client: client.name } : { baseUrl }),
    runId,
  }).map(([name, value]) => property(name, value));
  return `  <testsuite${attributes({ name: topic, ...countsOf(elements), time, timestamp, hostname: "contract" })}>
    <properties>${properties.join("")}</properties>
${elements.map((one) => testcase(topic, one)).join("\n")}
  </testsuite>`;
}

function testcase(topic: string, { ids, name, seconds, kind, message, detail }: Element): string {
  const shown = { name: [...ids, name].join(" "), classname: `contract.${topic.replaceAll(" ", "-")}` };
  const type = kind === "skipped" ? {} : { type: kind === "error" ? "error" : "assertion failure" };
  const outcome =
    kind === "pass" ? "" : `<${kind}${attributes({ message, ...type })}>${escaped(detail)}</${kind}>`;
  return `    <testcase${attributes({ ...shown, time: seconds.toFixed(3) })}><properties>${ids.map((id) => property("requirement", id)).join("")}</properties>${outcome}</testcase>`;
}

const property = (name: string, value: string): string => `<property${attributes({ name, value })}/>`;

function countsOf(elements: readonly Element[]): Record<"tests" | "failures" | "errors" | "skipped", number> {
  const count = (kind: Element["kind"]): number => elements.filter((one) => one.kind === kind).length;
  const counts = { failures: count("failure"), errors: count("error"), skipped: count("skipped") };
  return { tests: elements.length, ...counts };
}

const attributes = (given: Record<string, string | number>): string =>
  Object.entries(given)
    .map(([name, value]) => [name, escaped(String(value)).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")])
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");

/** XML cannot express most control characters: they become codes. */
const escaped = (text: string): string => escapeHtml(visible(text).replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD"));
