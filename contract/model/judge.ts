import { isDeepStrictEqual } from "node:util";
import { type ErrorId, errors } from "../../generated/errors.ts";
import { isObject } from "../../lib/objects.ts";
import { type Exchange, errorOf, namedFields } from "../exchange.ts";
import { format, isWithin } from "../support/assertions.ts";
import type { Json, ModelState } from "./state.ts";

/**
 * Compares a response with those allowed.
 *
 * @param more requirements that a wrong status violates in addition
 * @returns the state after it, and the requirements that allow it
 */
export function judge(state: ModelState, allowed: readonly Allowed[], exchange: Exchange, more: Ids) {
  const response = allowed.find((one) => fits(one, exchange));
  const ids = [...new Set([...allowed.flatMap((one) => one.ids), ...more])];
  const json = isObject(exchange.json) ? exchange.json : {};
  const effect = response?.effect?.(json, exchange) ?? { state, findings: [] };
  const status = response === undefined ? wrongStatus(ids, allowed, exchange) : { ids };
  const proven = [...(response?.ids ?? []), ...more];
  const findings = [{ ...status, proven }, ...fieldFindings(response, exchange), ...effect.findings];
  return { state: effect.state, findings, ids: response?.ids ?? [] };
}

function wrongStatus(ids: Ids, allowed: readonly Allowed[], exchange: Exchange): Comparison {
  const names = [...new Set(allowed.map(({ status, type }) => [status, type].join(" ").trim()))].join(" or ");
  return expects(ids, false, names, `${exchange.status} ${errorOf(exchange)?.type ?? ""}`.trim());
}

const fits = ({ status, type, saysReplayed }: Allowed, exchange: Exchange): boolean =>
  (typeof status === "number" ? exchange.status === status : `${exchange.status}`[0] === status[0]) &&
  (type === undefined || errorOf(exchange)?.type === type) &&
  (saysReplayed !== true || isReplay(exchange));

/** A 404 may name the property with the unknown id. */
function fieldFindings(
  { ids = [], fields, status }: Partial<Allowed> = {},
  exchange: Exchange,
): Comparison[] {
  if (fields === undefined) return [];
  const { body } = exchange.request;
  const names = namedFields(exchange);
  const isIn = (name: string, all: Ids): boolean => all.some((one) => isWithin(name, one));
  const isSent = (name: string): boolean => isObject(body) && isIn(name, Object.keys(body));
  const others = names.filter((name) => !isIn(name, fields.flat()) && (status === 422 || isSent(name)));
  const areNamed = fields.every((field) => names.some((name) => isIn(name, field)));
  const expected = fields.map((field) => field.join(" or ")).join(" and ");
  const isRight = others.length === 0 && (status !== 422 || areNamed);
  const found = names.length === 0 ? "no entries" : `entries for ${names.join(", ")}`;
  return [expects([...ids, "ERR-10"], isRight, `error.fields with entries for ${expected} alone`, found)];
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

/** A success, and what it leads to. */
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

export const isReplay = ({ headers }: Exchange): boolean => headers["idempotent-replayed"] === "true";

export type Ids = readonly string[];

/** A comparison of something in a response with what the requirements determine; `failure` is absent if it passes. */
export interface Comparison {
  /** The requirements that a failure violates. */
  ids: Ids;
  /** Those that it verifies if it passes; default: all. Without them it could not have failed, or for another reason only. */
  proven?: Ids;
  failure?: { expected: string; found: string };
}

/** Anything that is determined. */
export const expects = (ids: Ids, passes: boolean, expected: string, found: string): Comparison =>
  passes ? { ids } : { ids, failure: { expected, found } };

/** A comparison that verifies requirements (default: all of its own) only on a condition: otherwise it cannot fail for them. */
export const provenIf = (condition: boolean, finding: Comparison, ids: Ids = finding.ids): Comparison =>
  condition
    ? finding
    : { ...finding, proven: (finding.proven ?? finding.ids).filter((id) => !ids.includes(id)) };

/** A property with a determined value. */
export const equals = (ids: Ids, name: string, found: unknown, expected: unknown): Comparison =>
  oneOf(ids, name, found, [expected]);

/** A property with one of several values, or with a time within a period. */
export function oneOf(ids: Ids, name: string, found: unknown, values: readonly unknown[]): Comparison {
  const passes = values.some((value) =>
    typeof value === "function" ? value(found) : value === found || isDeepStrictEqual(found, value),
  );
  if (passes) return { ids };
  const expected = [...new Set(values.map(format))].join(" or ");
  return expects(ids, passes, `${name} ${expected}`, format(found));
}

/** A time within a period, give or take a minute: clocks differ, and a change takes a while to be shown. */
export function within(from: number, to: number, slack = 60_000): (value: unknown) => boolean {
  const contains = (value: unknown): boolean => {
    const at = Date.parse(String(value));
    return at >= from - slack && at <= to + slack;
  };
  contains.toJSON = (): string =>
    [...new Set([from, to])].map((at) => new Date(at).toISOString()).join(" to ");
  return contains;
}

/** The same moment in any notation. */
export const moment = (at: number): ((value: unknown) => boolean) => within(at, at, 0);

/** Sorted and without repetitions: the order of email addresses and tags has no meaning. */
export const asSet = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.length === 1
      ? [String(value[0])]
      : [...new Set(value.map(String))].sort()
    : value;

/**
 * The requirements that the sequences of the profile `model` verify, as ids separated by spaces. Measured on a server with every fixture and hook; a
 * thorough test measures it again and prints what to write here.
 */
export const verifiedBySequences = {
  email:
    "ATT-1 ATT-11 ATT-2 ATT-3 ATT-4 ATT-5 ATT-7 ATT-9 AUTH-15 AUTH-16 AUTH-17 AUTH-18 AUTH-2 AUTH-4 AUTH-5 AUTH-8 BATCH-10 BATCH-11 BATCH-12 BATCH-13 BATCH-4 BATCH-5 BATCH-6 BATCH-7 BATCH-8 BATCH-9 DELIV-1 ERR-10 ERR-11 ERR-8 ERR-9 GEN-6 HEAD-3 HEAD-4 IDEM-1 IDEM-2 IDEM-7 IDEM-8 LIMIT-5 LIMIT-7 LOOK-1 LOOK-10 LOOK-15 LOOK-2 LOOK-23 LOOK-3 LOOK-4 LOOK-5 LOOK-6 LOOK-9 SCHED-1 SCHED-11 SCHED-12 SCHED-13 SCHED-14 SCHED-15 SCHED-17 SCHED-18 SCHED-19 SCHED-2 SCHED-3 SCHED-4 SCHED-5 SCHED-6 SCHED-7 SCHED-8 SCHED-9 SEND-10 SEND-14 SEND-18 SEND-19 SEND-2 SEND-20 SEND-21 SEND-22 SEND-23 SEND-25 SEND-26 SEND-27 SEND-3 SEND-30 SEND-31 SEND-33 SEND-34 SEND-35 SEND-36 SEND-5 SEND-6 SEND-7 SEND-8 SEND-9 SIM-6",
  newsletter:
    "AUTH-10 AUTH-14 AUTH-15 AUTH-16 AUTH-2 AUTH-20 AUTH-21 AUTH-4 AUTH-8 AUTH-9 BATCH-11 BATCH-13 BATCH-4 BATCH-7 BATCH-9 CONT-1 CONT-10 CONT-11 CONT-12 CONT-13 CONT-14 CONT-15 CONT-16 CONT-17 CONT-2 CONT-21 CONT-22 CONT-23 CONT-24 CONT-25 CONT-26 CONT-3 CONT-4 CONT-5 CONT-6 CONT-7 CONT-8 CONT-9 DELIV-1 ERR-10 HEAD-3 HEAD-4 IDEM-1 IDEM-2 IDEM-4 IDEM-6 IDEM-7 IDEM-8 LIMIT-5 LIST-1 LIST-10 LIST-11 LIST-2 LIST-3 LIST-4 LIST-5 LIST-6 LIST-7 LIST-8 LIST-9 LOOK-1 LOOK-10 LOOK-15 LOOK-2 LOOK-23 LOOK-3 LOOK-4 LOOK-5 LOOK-6 LOOK-9 MEMB-1 MEMB-10 MEMB-11 MEMB-13 MEMB-15 MEMB-16 MEMB-17 MEMB-18 MEMB-2 MEMB-3 MEMB-5 MEMB-6 MEMB-7 MEMB-8 MEMB-9 SCHED-1 SCHED-2 SCHED-3 SCHED-4 SCHED-7 SEND-30 SEND-31 SEND-33 SIM-6 UNSUB-1 UNSUB-10 UNSUB-12 UNSUB-2 UNSUB-3 UNSUB-4 UNSUB-5 UNSUB-6 UNSUB-7 UNSUB-9",
  "email with clock moves":
    "ATT-1 ATT-11 ATT-2 ATT-3 ATT-4 ATT-5 ATT-7 ATT-9 AUTH-15 AUTH-16 AUTH-17 AUTH-18 AUTH-2 AUTH-4 AUTH-5 AUTH-8 BATCH-10 BATCH-11 BATCH-12 BATCH-13 BATCH-14 BATCH-4 BATCH-5 BATCH-6 BATCH-7 BATCH-8 BATCH-9 DELIV-1 DELIV-6 ERR-10 ERR-11 ERR-8 ERR-9 EVENT-3 GEN-6 HEAD-3 HEAD-4 IDEM-1 IDEM-2 IDEM-7 IDEM-8 LIMIT-5 LIMIT-6 LIMIT-7 LOOK-1 LOOK-10 LOOK-11 LOOK-12 LOOK-13 LOOK-15 LOOK-2 LOOK-22 LOOK-23 LOOK-3 LOOK-4 LOOK-5 LOOK-6 LOOK-9 SCHED-1 SCHED-10 SCHED-11 SCHED-12 SCHED-13 SCHED-14 SCHED-15 SCHED-17 SCHED-18 SCHED-19 SCHED-2 SCHED-20 SCHED-21 SCHED-3 SCHED-4 SCHED-5 SCHED-6 SCHED-7 SCHED-8 SCHED-9 SEND-10 SEND-14 SEND-18 SEND-19 SEND-2 SEND-20 SEND-21 SEND-22 SEND-23 SEND-25 SEND-26 SEND-27 SEND-3 SEND-30 SEND-31 SEND-33 SEND-34 SEND-35 SEND-36 SEND-5 SEND-6 SEND-7 SEND-8 SEND-9 SIM-1 SIM-2 SIM-3 SIM-4 SIM-6",
  "newsletter with clock moves":
    "AUTH-10 AUTH-14 AUTH-15 AUTH-16 AUTH-2 AUTH-20 AUTH-21 AUTH-4 AUTH-8 AUTH-9 BATCH-11 BATCH-13 BATCH-14 BATCH-4 BATCH-7 BATCH-9 CONT-1 CONT-11 CONT-12 CONT-13 CONT-14 CONT-15 CONT-16 CONT-17 CONT-2 CONT-21 CONT-22 CONT-23 CONT-24 CONT-25 CONT-26 CONT-3 CONT-4 CONT-6 CONT-7 CONT-8 DELIV-1 ERR-10 HEAD-3 HEAD-4 IDEM-1 IDEM-2 IDEM-4 IDEM-6 IDEM-7 IDEM-8 LIMIT-5 LIMIT-6 LIST-1 LIST-10 LIST-11 LIST-2 LIST-3 LIST-4 LIST-5 LIST-6 LIST-7 LIST-8 LIST-9 LOOK-1 LOOK-10 LOOK-11 LOOK-15 LOOK-2 LOOK-22 LOOK-23 LOOK-3 LOOK-4 LOOK-5 LOOK-6 LOOK-9 MEMB-1 MEMB-10 MEMB-11 MEMB-13 MEMB-15 MEMB-16 MEMB-17 MEMB-2 MEMB-3 MEMB-5 MEMB-6 MEMB-7 MEMB-8 MEMB-9 SCHED-1 SCHED-2 SCHED-20 SCHED-21 SCHED-3 SCHED-4 SCHED-7 SEND-30 SEND-31 SEND-33 SIM-6 UNSUB-1 UNSUB-10 UNSUB-12 UNSUB-2 UNSUB-3 UNSUB-4 UNSUB-5 UNSUB-6 UNSUB-7 UNSUB-9",
};
