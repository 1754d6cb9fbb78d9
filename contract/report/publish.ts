import type { ReportCase } from "../../generated/schema-types.ts";
import { redacted } from "../engine/secrets.ts";
import { jsonText } from "./json.ts";
import { maskedExchange, maskedTexts } from "./mask.ts";
import { type ContractResult, exitCodeOf, verdictsOf } from "./result.ts";

const leftOut = [
  { what: "checks and test cases that pass", why: "each requirement says how many there are" },
  {
    what: `bodies and ids of requests and responses, values in failures (${redacted})`,
    why: "they can be private",
  },
  {
    what: "the base URL and other addresses, the command and the environment of the run",
    why: "they say where an implementation runs, not what it does",
  },
];

/** The JSON report for publication. */
export const publishedText = (result: ContractResult): string => jsonText(publishedReport(result));

/** A report with its verdicts, reasons and failures, and without anything that can be private. */
export function publishedReport(result: ContractResult): ContractResult {
  if (result.published) return result;
  const { implementation, keyVariables: _, docs: __, baseline: ___, ...rest } = result;
  const { host = "", hostname = "" } = URL.parse(result.baseUrl) ?? {};
  // Any other name could be a word.
  const hosts = [host, hostname].filter((name) => /[.:]/.test(name));
  const report = JSON.parse(JSON.stringify(rest), (_key, value: unknown) =>
    typeof value === "string" ? withoutAddresses(value, hosts) : value,
  ) as ContractResult;
  report.exitCode = exitCodeOf(report);
  report.baseUrl = redacted;
  if (report.client) report.client.driver = redacted;
  if (report.resetError !== undefined) report.resetError = masked(report.resetError);
  report.unanswered?.forEach(maskReason);
  report.requirements.forEach(maskReason);
  for (const { covered } of report.expectedFailures ?? [])
    if (covered) covered.found = maskedTexts(covered.found);
  report.checks = report.checks.filter(({ verdict }) => verdict !== "pass");
  for (const check of report.checks) {
    check.cases = check.cases.filter(({ verdict }) => verdict !== "pass");
    check.cases.forEach(maskCase);
  }
  report.responseChecks = report.responseChecks.filter(({ verdict }) => verdict !== "pass");
  for (const check of report.responseChecks) {
    check.failures = check.failures.slice(0, maxFailures);
    check.failures.forEach(maskValues);
    for (const failure of check.failures) failure.exchange &&= maskedExchange(failure.exchange);
  }
  return { ...report, ...(implementation && { implementation }), published: leftOut };
}

/** What a report says, without what differs in each run but the time. */
export function claimOf({ expectedFailures, ...report }: ContractResult) {
  const { startedAt, implementation, tool, document, profile, without, notImplemented, levels, counts } =
    report;
  return {
    ...{ startedAt, implementation, tool, document, profile, without, notImplemented, levels, counts },
    exceptions: expectedFailures?.map(({ covered: _, ...entry }) => entry),
    verdicts: Object.fromEntries(verdictsOf(report)),
  };
}

/** Requests that show a failure. */
const maxExchanges = 3;
/** Responses that fail a response check. */
const maxFailures = 3;

function maskCase(one: ReportCase): void {
  maskReason(one);
  const { failure } = one;
  const end = (failure?.exchange ?? -1) + 1;
  one.exchanges = one.exchanges
    .slice(0, end)
    .slice(-maxExchanges)
    .map((exchange) => maskedExchange(exchange));
  if (failure === undefined) return;
  maskValues(failure);
  delete failure.first;
  if (failure.exchange !== null) failure.exchange = one.exchanges.length - 1;
}

function maskValues(failure: { expected: string; found: string }): void {
  const [expected = "", found = ""] = maskedTexts([failure.expected, failure.found]);
  Object.assign(failure, { expected, found });
}

/** A reason that names what is missing quotes nothing. */
function maskReason(one: Pick<ReportCase, "reason" | "needs">): void {
  if (one.reason !== undefined && one.needs === undefined) one.reason = masked(one.reason);
}

const masked = (text: string): string => maskedTexts([text]).join("");

/** Email addresses, URLs and IP addresses. */
const addresses =
  /[^\s@<>"'`(),;:]{1,64}@([\w.-]+)|\bhttps?:\/\/([^\s/?#"'`<>)\]]+)[^\s"'`<>)\]]*|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?/gi;
/** Domains that nobody can have (RFC 2606). */
const reserved = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)\.?(:\d+)?$/i;

function withoutAddresses(text: string, hosts: readonly string[]): string {
  const found = text.replaceAll(addresses, (address, domain?: string, own?: string) =>
    reserved.test(domain ?? own ?? "") ? address : redacted,
  );
  return hosts.reduce((rest, host) => rest.replaceAll(host, redacted), found);
}
