import { stripVTControlCharacters } from "node:util";
import type { ReportCase } from "../../generated/schema-types.ts";
import { escapeXml, Html, templateWith } from "../../lib/html.ts";
import { checkedMessage, coverageLine, failedTimes, isBelowThreshold, missingLine } from "./counts.ts";
import { expiredOf } from "./expected.ts";
import { findingText } from "./finding-text.ts";
import { type ContractResult, type FailedCase, failedCases, subjectOf, untested } from "./result.ts";

/** A `testcase` element. */
interface Element {
  ids: string[];
  name: string;
  seconds?: number;
  kind: "pass" | "failure" | "error" | "skipped";
  message: string;
  detail?: string;
}

/**
 * The JUnit XML report: a suite per topic, a test case per test case and per response check, requirement ids as properties.
 * What is not verified, or is an expected failure, is skipped, as is a known failure of the baseline; a stale or expired
 * entry of the expected failures fails, as does too low a coverage.
 */
export function junitReport(result: ContractResult): string {
  const topics = new Map([...result.requirements, ...result.notTested].map(({ id, topic }) => [id, topic]));
  // The first failure of a response check stays.
  const failures = failedCases(result).map((one) => [one.source, one] as const);
  const failed = new Map(failures.toReversed());
  const elements = [
    ...result.checks.flatMap(({ ids, title: check, cases }) =>
      cases.map((one): Element => {
        const name = one.title === "" ? check : `${check}: ${one.title}`;
        return { ids, name, seconds: one.milliseconds / 1000, ...outcomeOf(one, failed.get(one), result) };
      }),
    ),
    ...result.responseChecks.map((check): Element => {
      const { ids, title, verdict, responses } = check;
      const { detail, ...others } = outcomeOf({ verdict }, failed.get(check), result);
      const name = `every ${checkedMessage(result)}: ${title}`;
      const times = failedTimes(result, check.failed, responses);
      return { ids, name, ...others, ...(detail && { detail: `${times}\n${detail}` }) };
    }),
  ];
  for (const { id, text, reason } of untested(result))
    elements.push({ ids: [id], name: text, kind: "skipped", message: reason });
  // With a baseline, only new failures and expired entries fail. Traffic may only lack what shows a failure.
  const stale = result.baseline === undefined ? result.stale : [];
  const staleKind = result.traffic === undefined ? "failure" : "skipped";
  const ofEntries = [
    ...stale.map((id) => entryElement(id, "still fails", staleKind, { message: "and passes", canGo: true })),
    ...expiredOf(result).map(({ id, until, canGo }) => {
      const message = `which has expired (until ${until})${canGo ? ", and passes or is not implemented" : ""}`;
      return entryElement(id, "is not expired", "failure", { message, canGo });
    }),
  ];
  const ofCoverage = coverageElements(result);
  const byTopic = Object.entries(Object.groupBy(elements, ({ ids: [id = ""] }) => topics.get(id) ?? "other"));
  const all = [...byTopic, ["expected failures", ofEntries] as const, ["coverage", ofCoverage] as const];
  const suites = all.flatMap(([topic, own = []]) => (own.length === 0 ? [] : [suite(topic, own, result)]));
  const time = (result.durationMilliseconds / 1000).toFixed(3);
  const counts = countsOf([...elements, ...ofEntries, ...ofCoverage]);
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${result.tool.name}"${counts} time="${time}">
${suites}</testsuites>
`.text;
}

/** What a test case shows, by its verdict. */
function outcomeOf(
  { verdict, reason = "", excused }: Pick<ReportCase, "verdict" | "reason" | "excused">,
  failed: FailedCase | undefined,
  result: ContractResult,
): Pick<Element, "kind" | "message" | "detail"> {
  if (verdict === "not verified") return { kind: "skipped", message: reason };
  const [firstLine = ""] = reason.split("\n");
  const message = failed === undefined ? firstLine : `expected: ${failed.expected}; found: ${failed.found}`;
  const word = excused ?? failed?.excused;
  if (word !== undefined) return { kind: "skipped", message: `${word} failure; ${message}` };
  if (verdict === "error") return { kind: "error", message, detail: reason };
  if (failed === undefined) return { kind: verdict === "pass" ? "pass" : "failure", message };
  const { ids, cause } = failed;
  const finding = { ids, cause, missing: undefined, first: failed, cases: [failed] };
  return { kind: "failure", message, detail: stripVTControlCharacters(findingText(result, finding)) };
}

/** A test case for an entry of the expected failures. */
const entryElement = (
  id: string,
  name: string,
  kind: Element["kind"],
  { message, canGo }: { message: string; canGo: boolean },
): Element => ({
  ids: [id],
  name: `${id} ${name}`,
  kind,
  message: `It is an expected failure, ${message}.`,
  detail: canGo ? "Remove its entry from the expected failures." : "Fix it, or agree on another day.",
});

/** A test case for the coverage, if a threshold is set. */
function coverageElements({ coverage }: ContractResult): Element[] {
  if (coverage?.threshold === undefined) return [];
  const kind = isBelowThreshold({ coverage }) ? "failure" : "pass";
  const [message, detail] = [coverageLine(coverage), missingLine(coverage)];
  return [{ ids: [], name: "coverage", kind, message, detail }];
}

function suite(topic: string, elements: readonly Element[], result: ContractResult): Html {
  const { startedAt, profile, notImplemented = [], baseUrl, client, runId } = result;
  const time = elements.reduce((sum, { seconds = 0 }) => sum + seconds, 0).toFixed(3);
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, "");
  const open = notImplemented.length > 0 && property("notImplemented", notImplemented.join(" "));
  const server = client ? property("client", client.name) : property("baseUrl", baseUrl);
  const name = result.implementation && property("implementation", subjectOf(result));
  return xml`  <testsuite name="${topic}"${countsOf(elements)} time="${time}" timestamp="${timestamp}" hostname="contract">
    <properties>${property("profile", profile)}${open}${name}${server}${property("runId", runId)}</properties>
${elements.map((one) => testcase(topic, one))}  </testsuite>
`;
}

function testcase(topic: string, { ids, name, seconds = 0, kind, message, detail = "" }: Element): Html {
  const type = kind === "error" ? "error" : "assertion failure";
  // Line breaks stay as they are in a text.
  const text = new Html(escapeXml(detail));
  const outcome =
    kind !== "pass" &&
    xml`<${new Html(kind)} message="${message}"${kind !== "skipped" && xml` type="${type}"`}>${text}</${new Html(kind)}>`;
  return xml`    <testcase name="${[...ids, name].join(" ")}" classname="contract.${topic.replaceAll(" ", "-")}" time="${seconds.toFixed(3)}"><properties>${ids.map((id) => property("requirement", id))}</properties>${outcome}</testcase>
`;
}

const property = (name: string, value: string): Html => xml`<property name="${name}" value="${value}"/>`;

function countsOf(elements: readonly Element[]): Html {
  const count = (kind: Element["kind"]): number => elements.filter((one) => one.kind === kind).length;
  return xml` tests="${elements.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
}

/** A template for values of attributes. */
const xml = templateWith((text) => escapeXml(text).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;"));
