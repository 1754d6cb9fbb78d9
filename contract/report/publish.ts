import { isIP } from "node:net";
import type { ReportCase } from "../../generated/schema-types.ts";
import { isObject } from "../../lib/objects.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import { maskedExchange, maskedTexts } from "./mask.ts";
import { type ContractResult, exitCodeOf, verdictsOf } from "./result.ts";

const leftOut = [
  { what: "checks and test cases that pass", why: "each requirement says how many there are" },
  {
    what: `bodies and ids of requests and responses, values in failures (${redacted})`,
    why: "they can be private",
  },
  {
    what: "the base URL, other URLs, IP and email addresses, the command and the environment of the run",
    why: "they say where an implementation runs, not what it does",
  },
];

/** Requests that show a failure, and responses that fail a response check. */
const maxShown = 3;

/** What says where an implementation runs, or how it is started. */
const hidden = ["baseUrl", "driver", "against"];

/** A report with its verdicts, reasons and failures, and without anything that can be private. */
export function publishedReport(result: ContractResult): ContractResult {
  if (result.published) return result;
  const { implementation, keyVariables: _, docs: __, baseline: ___, ...rest } = result;
  const shown = {
    ...rest,
    exitCode: exitCodeOf(rest),
    checks: open(rest.checks).map((check) => ({ ...check, cases: open(check.cases).map(shortened) })),
    responseChecks: open(rest.responseChecks).map((check) => ({
      ...check,
      failures: check.failures.slice(0, maxShown),
    })),
  };
  const { host = "", hostname = "" } = URL.parse(result.baseUrl) ?? {};
  // A name without a dot or a port could be an ordinary word.
  const hosts = [host, hostname].filter((name) => /[.:]/.test(name));
  const report = JSON.parse(JSON.stringify(shown), (name, value: unknown) => {
    if (hidden.includes(name)) return redacted;
    // It leads to the request in the log of the service.
    if (name === "x-service-request-id") return undefined;
    if (name === "resetError") return maskedTexts([String(value)])[0];
    if (typeof value === "string") return withoutHosts(value, hosts);
    if (Array.isArray(value)) return name === "found" ? maskedTexts(value as string[]) : value;
    return isObject(value) ? withoutValues(value) : value;
  }) as ContractResult;
  return { ...report, ...(implementation && { implementation }), published: leftOut };
}

const open = <One extends { verdict: string }>(all: readonly One[]): One[] =>
  all.filter(({ verdict }) => verdict !== "pass");

/** A test case with the requests that show its failure. */
function shortened(one: ReportCase): ReportCase {
  if (one.failure === undefined) return { ...one, exchanges: [] };
  const { first: _, ...failure } = one.failure;
  const exchanges = one.exchanges.slice(0, (failure.exchange ?? -1) + 1).slice(-maxShown);
  const exchange = failure.exchange === null ? null : exchanges.length - 1;
  return { ...one, exchanges, failure: { ...failure, exchange } };
}

/** A part of a report without values of requests and responses. */
function withoutValues(part: Record<string, unknown>): unknown {
  if (isObject(part.response)) return maskedExchange(part as unknown as RecordedExchange);
  // Other reasons, and those that name what is missing, quote nothing.
  const isQuoted = ("verdict" in part || "tries" in part) && part.needs === undefined;
  const names = ["expected", "found", "cause", ...(isQuoted ? ["reason"] : [])];
  const texts = names.filter((name) => typeof part[name] === "string");
  const masked = maskedTexts(texts.map((name) => String(part[name])));
  return { ...part, ...Object.fromEntries(texts.map((name, index) => [name, masked[index]])) };
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

/** Email addresses, URLs and IP addresses. */
const hostsAndEmails =
  /(?:"[^"\r\n]{1,64}"|[^\s@<>"'`(),;:]{1,64})@([^\s@<>"'`(),;:]{1,253})|\b[a-z][a-z\d+.-]{1,30}:\/\/((?:\[[\da-f:.]{2,45}\])?[^\s/?#"'`<>)\]]*)[^\s"'`<>)\]]*|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|(?<![\w.])((?:[\da-f]|::)(?:[\da-f:.]{0,44}(?:[\da-f]|::))?)(?!\w)/gi;
/** Hosts that nobody can have (RFC 2606). */
const reserved = /^([\w-]+\.)*(example(\.(com|net|org))?|test|invalid|localhost)\.?(:\d+)?$/i;

/** Of URLs on reserved domains, the origin and the path stay. */
function withoutHosts(text: string, hosts: readonly string[]): string {
  const replaced = (whole: string, domain?: string, host?: string, word?: string): string => {
    // Perhaps with a port.
    if (word !== undefined && !isIP(word) && !isIP(word.replace(/:\d+$/, ""))) return word;
    if (!reserved.test(domain ?? host ?? "")) return redacted;
    return host === undefined ? whole : whole.replace(/[?#].*/s, "");
  };
  const found = text.replaceAll(hostsAndEmails, replaced);
  return hosts.reduce((rest, host) => rest.replaceAll(host, redacted), found);
}
