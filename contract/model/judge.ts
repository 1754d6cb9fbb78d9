import { type ErrorId, errors } from "../../generated/errors.ts";
import { isObject } from "../../lib/objects.ts";
import { isSame } from "../difference.ts";
import { type Exchange, errorOf, isReplay, namedFields } from "../exchange.ts";
import { entriesText, format, isWithin } from "../support/assertions.ts";
import type { Json, Message, ModelState } from "./state.ts";

/**
 * Compares a response with those allowed.
 * @param more requirements that a wrong status violates in addition
 * @returns the state after it, and the requirements that allow it
 */
export function judge(state: ModelState, allowed: readonly Allowed[], exchange: Exchange, more: Ids) {
  const response = allowed.find((one) => fits(one, exchange));
  const ids = [...new Set([...allowed.flatMap((one) => one.ids), ...more])];
  const json = isObject(exchange.json) ? exchange.json : {};
  const effect = response?.effect?.(json, exchange) ?? { state, findings: [] };
  const names = new Set(allowed.map(({ status, type }) => [status, type].join(" ").trim()));
  const found = `${exchange.status} ${errorOf(exchange)?.type ?? ""}`.trim();
  const status = expects(ids, response !== undefined, [...names].join(" or "), found);
  const proven = [...(response?.ids ?? []), ...more];
  // An error may name the fields of several faults, each of which allows it.
  const faulty = allowed.filter((one) => fits(one, exchange)).flatMap(({ fields = [] }) => fields.flat());
  const findings = [{ ...status, proven }, ...fieldFindings(response, exchange, faulty), ...effect.findings];
  return { state: effect.state, findings, ids: response?.ids ?? [] };
}

const fits = ({ status, type, saysReplayed }: Allowed, exchange: Exchange): boolean =>
  (typeof status === "number" ? exchange.status === status : `${exchange.status}`[0] === status[0]) &&
  (type === undefined || errorOf(exchange)?.type === type) &&
  (saysReplayed !== true || isReplay(exchange));

/** A 404 may name the property with the unknown id. */
function fieldFindings({ ids = [], fields, status }: Partial<Allowed> = {}, exchange: Exchange, faulty: Ids) {
  if (fields === undefined) return [];
  const { body } = exchange.request;
  const names = namedFields(exchange);
  const isIn = (name: string, all: Ids): boolean => all.some((one) => isWithin(name, one));
  const isSent = (name: string): boolean => isObject(body) && isIn(name, Object.keys(body));
  const others = names.filter((name) => !isIn(name, faulty) && (status === 422 || isSent(name)));
  const areNamed = fields.every((field) => names.some((name) => isIn(name, field)));
  const expected = [...new Set(fields.map((field) => field.join(" or ")))].join(" and ");
  const isRight = others.length === 0 && (status !== 422 || areNamed);
  const wanted = `error.fields with entries for ${expected} alone`;
  return [expects([...ids, "ERR-10"], isRight, wanted, entriesText(names))];
}

/** The state after a response, and the comparison of everything in the response that is determined. */
export interface Outcome {
  state: ModelState;
  findings: Comparison[];
}

/** What a response leads to. `json` is that of the exchange, or empty if it is not an object. */
export type Effect = (json: Json, exchange: Exchange) => Outcome;

/** A response that the requirements allow. */
export interface Allowed {
  /** The requirements that decide on it. */
  ids: Ids;
  /** `2XX` or `4XX` if the status is unspecified. */
  status: number | "2XX" | "4XX";
  /** The error type; absent for a success. */
  type?: string | null;
  /** Whether this is only the response if it says that it is a replay: another one with the same status is allowed too. */
  saysReplayed?: boolean;
  /** The invalid properties of the body, if `error.fields` must name each of them and no others; of each entry, one or several. */
  fields?: readonly Ids[];
  /** Absent if the request changes nothing, and nothing in the response is determined. */
  effect?: Effect;
}

export function success(ids: Ids, effect: Effect, status: Allowed["status"] = "2XX"): Allowed {
  return { ids, status, effect };
}

/** An error of the error table, which changes nothing. */
export const rejected = (ids: Ids, row: ErrorId): Allowed => ({ ids, ...errors[row] });

/** The errors of the error table that apply. */
export const rejections = (...rows: [applies: boolean, ids: Ids, row: ErrorId][]): Allowed[] =>
  rows.flatMap(([applies, ids, row]) => (applies ? [rejected(ids, row)] : []));

/** AUTH-2 if a response could show something of another account. */
export const isolation = (isKnown: boolean): string[] => (isKnown ? ["AUTH-2"] : []);

/** The error for something that the account does not have, but another one may. */
export const notFound = (id: string, isOfOther: boolean): Allowed =>
  rejected([id, ...isolation(isOfOther)], "404.not_found");

export const isError = ({ status }: Allowed): boolean => String(status) >= "4";

export type Ids = readonly string[];

/** A comparison of something in a response with what the requirements determine; `failure` is absent if it passes. */
export interface Comparison {
  /** The requirements that a failure violates. */
  ids: Ids;
  /** Those that it verifies if it passes; default: all. Without them it could not have failed, or for another reason only. */
  proven?: Ids;
  failure?: { expected: string; found: string };
}

export const expects = (ids: Ids, passes: boolean, expected: string, found: string): Comparison =>
  passes ? { ids } : { ids, failure: { expected, found } };

/** A comparison that verifies requirements (default: all of its own) only on a condition: otherwise it cannot fail for them. */
export const provenIf = (condition: boolean, finding: Comparison, ids: Ids = finding.ids): Comparison =>
  condition
    ? finding
    : { ...finding, proven: (finding.proven ?? finding.ids).filter((id) => !ids.includes(id)) };

export const equals = (ids: Ids, name: string, found: unknown, expected: unknown): Comparison =>
  oneOf(ids, name, found, [expected]);

/** A text, or several, without what is unspecified: its normal form and the space at its ends. The tags of a message are an object, and stay as they are. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return value.normalize("NFC").trim();
  return Array.isArray(value) ? asSet(value.map(plain)) : value;
}

/** A property with one of several values, or with a time within a period. */
export function oneOf(ids: Ids, name: string, found: unknown, values: readonly unknown[]): Comparison {
  const passes = values.some((value) =>
    typeof value === "function" ? value(found) : isSame(plain(found), plain(value)),
  );
  if (passes) return { ids };
  const expected = [...new Set(values.map((value) => format(value, found)))].join(" or ");
  return expects(ids, passes, `${name} ${expected}`, `${name} ${format(found, values[0])}`);
}

/** A time within a period, give or take a minute: clocks differ, and a change takes a while to be shown. @param before slack at its start */
export function within(from: number, to: number, slack = 60_000, before = slack) {
  const contains = (value: unknown): boolean => {
    const at = Date.parse(String(value));
    return at >= from - before && at <= to + slack;
  };
  const textOf = (at: number): string => (new Date(at).toJSON() as string | null) ?? "unknown";
  // What begins later than now has no time yet.
  contains.toJSON = () => (from > to ? null : [...new Set([from, to])].map(textOf).join(" to "));
  return contains;
}

/** The same moment in any notation: a server may keep, cut or round the fraction of a second. */
const moment = (at: number): ((value: unknown) => boolean) => within(at, at, 999);

/** The recorded time of a scheduled message: any if it was over when the message was accepted, which is unspecified. */
export const recordedTime = ({ dueAt, acceptedAt }: Pick<Message, "dueAt" | "acceptedAt">) =>
  dueAt !== null && dueAt < acceptedAt ? within(-Infinity, Infinity) : moment(dueAt ?? Number.NaN);

/** Sorted and without repetitions: the order of email addresses and tags has no meaning. */
export const asSet = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value.map(String))].sort() : value;
