import { limits } from "../../generated/limits.ts";
import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import { document } from "../document.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import { knownErrorTypes, placeOf, typeFault } from "../response-checks/errors.ts";
import { faultBehind, otherNames, withoutStyle } from "../response-checks/faults.ts";
import { headerFault } from "../response-checks/headers.ts";
import { brief, maxReason, quoted } from "../text.ts";
import type { AssertionFailure } from "./assert.ts";
import { limitHeaders } from "./rate-limiter.ts";
import type { Fixtures } from "./settings.ts";

/**
 * What a failed test case has in common with others: the same fault of a response, the same rejection of a valid request, the same failure of the
 * server. A sentence without a full stop; undefined if the failure is about this case alone.
 * @param exchanges those of the test case
 */
export function causeOf(
  { exchange, expected, found }: AssertionFailure,
  ids: readonly string[],
  exchanges: readonly Exchange[],
  fixtures: Fixtures = {},
): string | undefined {
  // The responses to a client are those of the suite.
  if (exchange === undefined || exchange.call !== undefined) return requestFault(exchange, ids);
  // A success in place of an error is wrong before its body is.
  const isNoError = isSuccess(exchange) && !errorOf(exchange) && /^(status )?4\d\d\b/.test(expected);
  const fault = isNoError ? undefined : faultBehind(exchange, `${expected} ${found}`)?.cause;
  // A response that is wrong in itself differs from another one for that reason.
  if (fault === undefined && isRepeatedAnew(exchanges)) return repeatedAnew;
  // Only some responses are checked for documented headers.
  const [, header] = /^(\S+) with an integer$/.exec(expected) ?? [];
  if (header !== undefined && exchange.headers[header] === undefined) return headerFault(header).cause;
  const rejected = rejection(exchange, expected, found);
  // An unknown list may be a mistake in the configuration.
  if (rejected?.includes("rejected with 404")) return rejected + settingOf(exchange, exchanges, fixtures);
  const count = countFault(expected, found) ?? clockFault(expected, found);
  return partOfFields(expected, found) ?? rejected ?? fault ?? count;
}

export const repeatedAnew = "Requests with the same Idempotency-Key are handled as new ones";

/** An error that names some of several properties, and no others. */
function partOfFields(expected: string, found: string): string | undefined {
  const [, wanted = ""] = /^error\.fields with entries for (.*?)(?: alone)?$/.exec(expected) ?? [];
  const [, named = ""] = /^entries for (.*)/.exec(found) ?? [];
  const [all, names] = [wanted.split(/, | and /), named.split(", ")];
  const isPart = names.every((name) => all.some((one) => one.split(" or ").includes(name)));
  const isLess = wanted !== "" && isPart && names.length < all.length;
  return isLess ? someFields : undefined;
}

export const someFields = "error.fields names only some of the properties that are wrong";

/** A number of what remains that stays the same, or increases. */
function countFault(expected: string, found: string): string | undefined {
  const [, before] = /\b(?:of|at) (\d+)(?: remaining)?$/.exec(expected) ?? [];
  if (before !== undefined && found.split(/\D/)[0] === before)
    return `${limitHeaders.left} does not decrease with each request`;
  const isMore = found.endsWith(" more than before");
  return isMore ? `${limitHeaders.allowance} increases with a send: return what is left` : undefined;
}

/** The fault of a client's request that violates the same requirements, its own first. @param title of a check of requests */
export function requestFault(exchange: Exchange | undefined, ids: readonly string[], title?: string) {
  const { call, faults = [] } = exchange ?? {};
  const own = faults.find(({ cause }) => title !== undefined && cause.endsWith(title));
  const found = own ?? faults.find(({ names = [] }) => names.some((id) => ids.includes(id)));
  return call && found?.cause;
}

/** A time that is not within the period of a change, which is by the server's clock as the run knows it. */
function clockFault(expected: string, found: string): string | undefined {
  const [from, to, time] = [/(\d{4}-\S+Z) to (\d{4}-\S+Z)/.exec(expected), /(\d{4}-[\dT:.-]+Z)/.exec(found)]
    .flatMap((match) => match?.slice(1) ?? [])
    .map((text) => Date.parse(text));
  if (from === undefined || to === undefined || time === undefined || to - from < minute) return undefined;
  const minutes = Math.round((time - (from + to) / 2) / minute);
  const apart = `${count(Math.abs(minutes), "minute")} ${minutes > 0 ? "ahead of" : "behind"}`;
  return `Some times are ${apart} the clock of the server, which the suite reads from the header Date (from a message, if it can send)`;
}

const minute = 60_000;

const documented = JSON.stringify(document.components);

/** The rejection of a request that was to be accepted, or of a valid property, with the reason that the server gives. */
function rejection(exchange: Exchange, expected: string, found: string): string | undefined {
  const { status, request } = exchange;
  if (/^405 |^Allow: /.test(expected) && status !== 405)
    return `Unsupported methods are responded to with ${status} in place of 405`;
  if (status < 400 || status >= 500) return undefined;
  const { type, message, fields } = errorOf(exchange) ?? {};
  const what = typeof type === "string" ? `${status} ${type}` : String(status);
  const isSameStatus = found.includes(what) && expected.includes(`${status} `);
  if (isSameStatus && typeof type === "string" && !knownErrorTypes.has(type)) return typeFault(type).cause;
  const listed = [...expected.matchAll(/\b(4\d\d) (\w+)/g)].find(([, , one]) => one === type);
  if (listed !== undefined && !expected.includes(String(status)) && found.includes(what))
    return `Errors of the type ${type} have the status ${status} in place of ${listed[1]}`;
  const field = unexpectedField((fields ?? {}) as Record<string, unknown>, expected, found, what);
  if (field !== undefined) {
    const [name, texts] = field;
    if (!expected.endsWith("which is valid")) {
      if (expected.split(/[ ,.]+/).includes(name))
        return "Names in error.fields have another form than in the document";
      // The style of the name is wrong, not the property.
      if (withoutStyle(expected).includes(withoutStyle(name))) return otherNames;
      // The rejection is right.
      if (expected.startsWith("error.fields with") && !documented.includes(`"${name}":`))
        return `error.fields has ${name}, which the document does not have`;
    }
    return `${name} is rejected with ${what}${quoted([texts].flat()[0])}`;
  }
  const isRejection = new RegExp(`^(status )?${status}\\b|^no(thing|ne)\\b`).test(found);
  if (!isRejection || /\b4(\d\d|XX)\b|error/.test(expected)) return undefined;
  // A key or a plan is about no operation.
  const about = [401, 402, 429].includes(status) ? "" : ` to ${placeOf(request)}`;
  const to = /suppress/i.test(String(message)) ? recipientsIn(request.body) : "";
  return `Valid requests${about} are rejected with ${what}${quoted(message ?? exchange.text)}${to}`;
}

/** The setting that a request has its list from, unless another request was accepted with it: `: is lists.plain (99) of the configuration right?`. */
function settingOf({ request }: Exchange, exchanges: readonly Exchange[], { lists = {} }: Fixtures): string {
  const listIn = (body: unknown) => (body as { list_id?: unknown } | undefined)?.list_id;
  const id = listIn(request.body);
  const isKnown = exchanges.some((one) => isSuccess(one) && listIn(one.request.body) === id);
  const name = Object.entries(lists).find(([, list]) => list === id)?.[0];
  return name === undefined || isKnown ? "" : `: is lists.${name} (${id}) of the configuration right?`;
}

/** The recipients of a message, without what is unique in a run: ` (recipients: bounce@example.com)`. */
function recipientsIn(body: unknown): string {
  const { to, cc, bcc } = (body ?? {}) as Record<string, unknown>;
  const all = [to, cc, bcc].flat().filter((one) => typeof one === "string");
  const text = [...new Set(all.map((one) => one.replace(/[^@]*\d[^@]*@/, "...@")))].join(", ");
  return text === "" ? "" : ` (recipients: ${brief(text, maxReason)})`;
}

/** The first property in `error.fields` that is in order: another fault was expected, or none. */
function unexpectedField(fields: Record<string, unknown>, expected: string, found: string, what: string) {
  const [, valid] = /^error\.fields without (.*), which is valid/.exec(expected) ?? [];
  const isRejected = /^no(thing|ne)\b/.test(found) || found.replace(/^status /, "").startsWith(what);
  const isExpected = expected.includes(what) || /error\.fields|\b4(\d\d to|XX)\b/.test(expected);
  const words = expected.split(/[ ,]+/);
  const entry = Object.entries(fields).find(
    ([name]) =>
      name === valid || (found.endsWith(name) && !words.includes(name)) || (isRejected && !isExpected),
  );
  return entry === undefined ? undefined : ([topOf(entry[0]), entry[1]] as const);
}

/** The property of a message that a name in `error.fields` is about: a rule for it applies to each message of a batch. Other texts are whole. */
const topOf = (name: string): string =>
  name.replace(/^emails\W\d+\W+/, "").replace(/^([a-z_]\w*)[.[].*/is, "$1");

/** Whether a request with the idempotency key of an earlier one that was accepted has another response, which is no replay and no conflict. */
function isRepeatedAnew(exchanges: readonly Exchange[]): boolean {
  const keyed = exchanges.filter(({ request: { operation }, sent, status }) => {
    const hasKey = sent.headers["Idempotency-Key"] !== undefined;
    const isIdempotent = operation !== undefined && operations[operation].idempotent;
    return hasKey && isIdempotent && (isSuccess({ status }) || status === 422);
  });
  const byKey = Map.groupBy(keyed, ({ request, sent }) =>
    JSON.stringify([request.operation, request.key, sent.headers["Idempotency-Key"]]),
  );
  return [...byKey.values()].some(([first, ...others]) => {
    if (first === undefined || !isSuccess(first)) return false;
    const { status, text, serverTime: start = 0 } = first;
    const later = others.filter(
      ({ headers, serverTime = 0 }) =>
        headers["idempotent-replayed"] === undefined &&
        serverTime - start < limits.idempotencyWindow * 60 * minute,
    );
    return later.some((one) => one.status !== status || one.text !== text);
  });
}
