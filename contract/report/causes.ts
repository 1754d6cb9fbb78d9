import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { absent, operationAt } from "../exchange.ts";
import { baseUrlQuestion, brief } from "../text.ts";
import { errorTypeIn } from "./exchange-text.ts";
import { type ContractResult, type FailedCase, failedCases } from "./result.ts";
import type { Group } from "./sections.ts";

/** The unexpected failures of a run, by cause. */
export interface Diagnosis {
  /** What is wrong with the base URL or the whole server, as a sentence; undefined if nothing is. */
  wholeServer: string | undefined;
  /** The missing operations, each with the requirements that fail because of it, the most first. */
  causes: Group[];
  /** Failures without a common cause. */
  others: FailedCase[];
  /** Failures that one of the causes explains. */
  explained: FailedCase[];
}

/** Statuses that come before routing: they do not show whether an operation exists. */
const beforeRouting: readonly number[] = [401, 429];

export function diagnose(result: ContractResult): Diagnosis {
  const failed = failedCases(result).filter(({ isExpected }) => !isExpected);
  // What is below is about a server.
  if (result.client !== undefined || result.traffic !== undefined)
    return { wholeServer: undefined, causes: [], others: failed, explained: [] };
  const exchanges = exchangesOf(result);
  const missing = missingOperations(exchanges);
  const groups = Map.groupBy(failed, (one) => causeOf(one, missing));
  const others = groups.get(undefined) ?? [];
  const explained = failed.filter((one) => !others.includes(one));
  const wholeServer = wholeServerProblem(result, exchanges, explained.length > 0 ? missing : new Map());
  if (wholeServer !== undefined) return { wholeServer, causes: [], others: failed, explained: [] };
  const causes = [...groups].flatMap(([name, own]) => {
    if (name === undefined) return [];
    const ids = [...new Set(own.flatMap((one) => one.ids))];
    const number = count(ids.length, "requirement fails", "requirements fail");
    return [{ what: `${name} always responds with ${missing.get(name)}: ${number} because of it`, ids }];
  });
  causes.sort((one, other) => other.ids.length - one.ids.length);
  return { wholeServer, causes, others, explained };
}

/** Every exchange of the result, once. */
function exchangesOf({ checks, responseChecks }: ContractResult): RecordedExchange[] {
  const all = [
    ...checks.flatMap(({ cases }) => cases.flatMap(({ exchanges }) => exchanges)),
    ...responseChecks.flatMap(({ failures }) => failures.flatMap(({ exchange }) => exchange ?? [])),
  ];
  const key = ({ startedAt, milliseconds, method, path }: RecordedExchange): string =>
    [startedAt, milliseconds, method, path].join(" ");
  return [...new Map(all.map((one) => [key(one), one])).values()];
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
function causeOf(
  { exchanges, expected, isResponseCheck }: FailedCase,
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || isResponseCheck) return undefined;
  const { status } = exchange.response;
  const name = nameOf(exchange);
  const isAbsent = absent.includes(status) && !expected.includes(String(status));
  return isAbsent && name !== undefined && missing.has(name) ? name : undefined;
}

/** Fewer responses do not show a problem of the whole server. */
const minResponses = 3;

function wholeServerProblem(
  { baseUrl }: ContractResult,
  exchanges: readonly RecordedExchange[],
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const [first] = exchanges;
  if (first === undefined || exchanges.length < minResponses) return undefined;
  const question = baseUrlQuestion(baseUrl);
  if (exchanges.every(isRedirect)) {
    const { status, headers } = first.response;
    const target = headers.location === undefined ? "" : ` to ${brief(headers.location, 200)}`;
    return `Every response is a redirect, such as ${status}${target}: ${question}`;
  }
  if (exchanges.every(isHtml)) return `Every response is an HTML page instead of JSON: ${question}`;
  const requested = new Set(exchanges.flatMap((one) => nameOf(one) ?? []));
  const [one] = missing;
  if (one === undefined || requested.size < 2 || requested.size > missing.size) return undefined;
  return `No requested operation exists; ${one[0]}, for example, responds with ${one[1]}: ${question}`;
}

const isRedirect = ({ response: { status } }: RecordedExchange): boolean => status >= 300 && status < 400;

const isHtml = ({ response: { headers, body } }: RecordedExchange): boolean =>
  /^text\/html\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype\s+)?html\b/i.test(body);
