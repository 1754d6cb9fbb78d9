import { isDeepStrictEqual } from "node:util";
import { type ErrorId, errors } from "../../../generated/errors.ts";
import { isObject } from "../../../lib/is-object.ts";
import { type Exchange, errorOf, namedFields } from "../exchange.ts";
import { finding, type ResponseFinding } from "../response-checks/finding.ts";
import { format, isWithin } from "../support/assertions.ts";
import type { World } from "./world.ts";

/** A response that the requirements allow. */
export interface Allowed {
  /** The requirements that decide on it. */
  ids: readonly string[];
  /** `2XX` or `4XX` if the status is unspecified. */
  status: number | "2XX" | "4XX";
  /** The error type; absent for a success. */
  type?: string | null;
  /** Whether this is only the response if it says that it is a replay: another one with the same status is allowed too. */
  saysReplayed?: boolean;
  /** The invalid properties of the body, if `error.fields` must name each of them and no others; an array stands for one of several. */
  fields?: readonly (string | readonly string[])[];
  /** Absent if the request changes nothing, and nothing in the response is determined. */
  effect?(exchange: Exchange): Effect;
}

/** The world after a response, and the comparison of everything in the response that is determined. */
export interface Effect {
  world: World;
  findings: ResponseFinding[];
}

/** An error of the error table, which changes nothing. */
export const rejected = (ids: readonly string[], row: ErrorId): Allowed => ({
  ids,
  status: errors[row].status,
  type: errors[row].type,
});

/** A 422 that names each of these properties, or something inside it, and nothing else; an array stands for one of several. */
export const invalid = (ids: readonly string[], ...fields: (string | readonly string[])[]): Allowed => ({
  ...rejected(ids, "422.invalid_request"),
  fields,
});

export const isError = ({ status }: Allowed): boolean => String(status) >= "4";

export const isReplay = ({ headers }: Exchange): boolean => headers["idempotent-replayed"] === "true";

const fits = ({ status, type, saysReplayed }: Allowed, exchange: Exchange): boolean =>
  (typeof status === "number" ? exchange.status === status : `${exchange.status}`[0] === status[0]) &&
  (type === undefined || errorOf(exchange)?.type === type) &&
  (saysReplayed !== true || isReplay(exchange));

const nameOf = ({ status, type }: Allowed): string => (type == null ? `${status}` : `${status} ${type}`);

/**
 * Compares a response with those allowed.
 *
 * @param idsOfKey requirements that a wrong status violates in addition
 * @returns the world after it, and the requirements that allow it
 */
export function judge(
  world: World,
  allowed: readonly Allowed[],
  exchange: Exchange,
  idsOfKey: readonly string[],
): Effect & { ids: readonly string[] } {
  const response = allowed.find((one) => fits(one, exchange));
  const ids = [...new Set([...allowed.flatMap((one) => one.ids), ...idsOfKey])];
  const status = finding(ids, "a response that the requests so far allow", response !== undefined, {
    expected: [...new Set(allowed.map(nameOf))].join(" or "),
    found: `${exchange.status} ${errorOf(exchange)?.type ?? ""}`.trim(),
  });
  const effect = response?.effect?.(exchange) ?? { world, findings: [] };
  return {
    world: effect.world,
    findings: [status, ...fieldFindings(response, exchange), ...effect.findings],
    ids: response?.ids ?? [],
  };
}

/** A 404 may name the property with the unknown id. */
function fieldFindings(
  { ids = [], fields, status }: Partial<Allowed> = {},
  exchange: Exchange,
): ResponseFinding[] {
  if (fields === undefined) return [];
  const { body } = exchange.request;
  const sent = isObject(body) ? Object.keys(body) : [];
  const names = namedFields(exchange);
  const isNamed = (field: string | readonly string[]): boolean =>
    names.some((name) => [field].flat().some((one) => isWithin(name, one)));
  const others = names.filter(
    (name) =>
      !fields.flat().some((field) => isWithin(name, field)) &&
      (status === 422 || sent.some((field) => isWithin(name, field))),
  );
  const isRight = others.length === 0 && (status !== 422 || fields.every(isNamed));
  return [
    finding([...ids, "ERR-10"], "error.fields names the invalid properties", isRight, {
      expected: `error.fields with entries for ${fields.map((field) => [field].flat().join(" or ")).join(" and ")} alone`,
      found: names.length === 0 ? "no entries" : `entries for ${names.join(", ")}`,
    }),
  ];
}

/** A property with a determined value. */
export const equals = (ids: string[], name: string, found: unknown, expected: unknown): ResponseFinding =>
  oneOf(ids, name, found, [expected]);

/** A property with one of several values. */
export const oneOf = (
  ids: string[],
  name: string,
  found: unknown,
  values: readonly unknown[],
): ResponseFinding =>
  finding(
    ids,
    `${name}, after the requests so far`,
    values.some((value) => isDeepStrictEqual(found, value)),
    {
      expected: `${name} ${values.map(format).join(" or ")}`,
      found: format(found),
    },
  );

/** Seconds that the clocks of the suite and the server may differ by, and within which a change is shown. */
const slack = 60;

/** A property with a time within a period, give or take a minute. */
export function between(
  ids: string[],
  name: string,
  found: unknown,
  [from, to]: readonly [number, number],
): ResponseFinding {
  const at = typeof found === "string" ? Date.parse(found) : Number.NaN;
  const isWithin = at >= from - slack * 1000 && at <= to + slack * 1000;
  return finding(ids, `${name}, after the requests so far`, isWithin, {
    expected: `${name} between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`,
    found: format(found),
  });
}

/** Sorted and without repetitions: the order of email addresses and tags has no meaning. */
export const asSet = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value.map(String))].sort() : value;
