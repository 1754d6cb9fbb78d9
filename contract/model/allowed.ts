import { type ErrorId, errors } from "../../generated/errors.ts";
import type { Exchange } from "../exchange.ts";
import type { Finding, Ids } from "./findings.ts";
import type { Json, World } from "./world.ts";

/** The world after a response, and the comparison of everything in the response that is determined. */
export interface Outcome {
  world: World;
  findings: Finding[];
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
