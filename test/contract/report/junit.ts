import { curlOf } from "./curl.ts";
import { topicsOf, verdictsOf, visible } from "./reading.ts";
import type { ContractResult, LawResult, TrialResult, WireResult } from "./result.ts";

/** A case as JUnit has it. */
interface Case {
  ids: string[];
  name: string;
  seconds: number;
  kind: "pass" | "failure" | "error" | "skipped";
  message: string;
  detail: string;
}

/**
 * The report for tools that read JUnit's XML: a suite for each topic, a case for each trial of a law and for each law of every
 * answer, the ids of requirements as properties. What is not verified, or was expected to fail, counts as skipped; an expected
 * failure that held fails.
 */
export function junitReport(result: ContractResult): string {
  const topics = topicsOf(result);
  const expected = verdictsOf(result);
  const isExpected = ({ ids }: { ids: string[] }): boolean =>
    ids.every((id) => expected.get(id) === "expected failure");
  const cases = [
    ...result.laws.flatMap((law) => law.trials.map((trial) => ofTrial(law, trial, isExpected(law), result))),
    ...result.wire.map((law) => ofWire(law, isExpected(law), result)),
  ];
  const byTopic = Object.groupBy(cases, ({ ids: [first = ""] }) => topics.get(first) ?? "other");
  const suites = [...Object.entries(byTopic), ["expected failures", result.stale.map(ofStale)] as const];
  const used = suites.flatMap(([topic, own = []]) => (own.length === 0 ? [] : [suite(topic, own, result)]));
  const all = [...cases, ...result.stale.map(ofStale)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes({ name: result.tool.name, ...countsOf(all), time: (result.durationMilliseconds / 1000).toFixed(3) })}>
${used.join("\n")}
</testsuites>
`;
}

function ofTrial(
  { ids, law }: LawResult,
  trial: TrialResult,
  isExpected: boolean,
  result: ContractResult,
): Case {
  const { title, verdict, breach, reason = "", exchanges, milliseconds } = trial;
  const name = title === "" ? law : `${law}: ${title}`;
  const shared = { ids, name, seconds: milliseconds / 1000 };
  if (verdict === "pass") return { ...shared, kind: "pass", message: "", detail: "" };
  if (verdict === "not verified") return { ...shared, kind: "skipped", message: reason, detail: "" };
  if (verdict === "error")
    return { ...shared, kind: "error", message: reason.split("\n")[0] ?? "", detail: reason };
  const exchange =
    breach === undefined || breach.exchange === null ? exchanges.at(-1) : exchanges[breach.exchange];
  const { expected = "", found = "" } = breach ?? {};
  return { ...shared, ...broken({ expected, found, exchange }, isExpected, result) };
}

function ofWire(
  { ids, law, answers, breaches, ...rest }: WireResult,
  isExpected: boolean,
  result: ContractResult,
): Case {
  const shared = { ids, name: `every answer: ${law}`, seconds: 0 };
  const [first] = breaches;
  if (first === undefined) return { ...shared, kind: "pass", message: "", detail: "" };
  const { detail, ...told } = broken(first, isExpected, result);
  return { ...shared, ...told, detail: `${rest.broken} of ${answers} answers\n${detail}` };
}

function broken(
  {
    expected,
    found,
    exchange,
  }: Pick<WireResult["breaches"][number], "expected" | "found"> & {
    exchange?: TrialResult["exchanges"][number] | null | undefined;
  },
  isExpected: boolean,
  result: ContractResult,
): Pick<Case, "kind" | "message" | "detail"> {
  const message = `expected: ${expected}; found: ${found}`;
  if (isExpected) return { kind: "skipped", message: `failed as expected; ${message}`, detail: "" };
  const shown =
    exchange === null || exchange === undefined
      ? []
      : [
          `sent: ${exchange.method} ${exchange.path}`,
          `answered: ${exchange.received.status} ${exchange.received.body}`,
          curlOf(exchange, result),
        ];
  return {
    kind: "failure",
    message,
    detail: [`expected: ${expected}`, `found: ${found}`, ...shown].join("\n"),
  };
}

const ofStale = (id: string): Case => ({
  ids: [id],
  name: `${id} still fails`,
  seconds: 0,
  kind: "failure",
  message: "It is among the expected failures, and held.",
  detail: "Take it out of the expected failures.",
});

function suite(
  topic: string,
  cases: readonly Case[],
  { startedAt, profile, baseUrl, runId }: ContractResult,
): string {
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, "");
  const properties = Object.entries({ profile, baseUrl, runId }).map(([name, value]) =>
    property(name, value),
  );
  return `  <testsuite${attributes({ name: topic, ...countsOf(cases), time, timestamp, hostname: "contract" })}>
    <properties>${properties.join("")}</properties>
${cases.map((one) => testcase(topic, one)).join("\n")}
  </testsuite>`;
}

function testcase(topic: string, { ids, name, seconds, kind, message, detail }: Case): string {
  const shown = { name: `${ids.join(" ")} ${name}`, classname: `contract.${topic.replaceAll(" ", "-")}` };
  const outcome =
    kind === "pass"
      ? ""
      : `<${kind}${attributes({ message, ...(kind === "skipped" ? {} : { type: kind === "error" ? "error" : "broken promise" }) })}>${escaped(detail)}</${kind}>`;
  return `    <testcase${attributes({ ...shown, time: seconds.toFixed(3) })}><properties>${ids.map((id) => property("requirement", id)).join("")}</properties>${outcome}</testcase>`;
}

const property = (name: string, value: string): string => `<property${attributes({ name, value })}/>`;

function countsOf(cases: readonly Case[]): Record<"tests" | "failures" | "errors" | "skipped", number> {
  const count = (kind: Case["kind"]): number => cases.filter((one) => one.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

const attributes = (given: Record<string, string | number>): string =>
  Object.entries(given)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(String(value)).replaceAll("\n", "&#10;").replaceAll("\t", "&#9;")}"`,
    )
    .join("");

const replacements: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text for XML, which has no way to write most control letters: they stand as codes. */
const escaped = (text: string): string =>
  visible(text)
    .replaceAll(/[\uFFFE\uFFFF]/g, "\uFFFD")
    .replaceAll(/[&<>"']/g, (letter) => replacements[letter] ?? letter);
