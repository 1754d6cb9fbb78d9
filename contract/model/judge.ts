import { isObject } from "../../lib/objects.ts";
import { type Exchange, errorOf, namedFields } from "../exchange.ts";
import { isWithin } from "../support/assertions.ts";
import { type Allowed, isReplay } from "./allowed.ts";
import { expects, type Finding, type Ids } from "./findings.ts";
import type { World } from "./world.ts";

/**
 * Compares a response with those allowed.
 *
 * @param more requirements that a wrong status violates in addition
 * @returns the world after it, and the requirements that allow it
 */
export function judge(world: World, allowed: readonly Allowed[], exchange: Exchange, more: Ids) {
  const response = allowed.find((one) => fits(one, exchange));
  const ids = [...new Set([...allowed.flatMap((one) => one.ids), ...more])];
  const json = isObject(exchange.json) ? exchange.json : {};
  const effect = response?.effect?.(json, exchange) ?? { world, findings: [] };
  const status = response === undefined ? wrongStatus(ids, allowed, exchange) : { ids };
  const proven = [...(response?.ids ?? []), ...more];
  const findings = [{ ...status, proven }, ...fieldFindings(response, exchange), ...effect.findings];
  return { world: effect.world, findings, ids: response?.ids ?? [] };
}

function wrongStatus(ids: Ids, allowed: readonly Allowed[], exchange: Exchange): Finding {
  const names = [...new Set(allowed.map(({ status, type }) => [status, type].join(" ").trim()))].join(" or ");
  return expects(ids, false, names, `${exchange.status} ${errorOf(exchange)?.type ?? ""}`.trim());
}

const fits = ({ status, type, saysReplayed }: Allowed, exchange: Exchange): boolean =>
  (typeof status === "number" ? exchange.status === status : `${exchange.status}`[0] === status[0]) &&
  (type === undefined || errorOf(exchange)?.type === type) &&
  (saysReplayed !== true || isReplay(exchange));

/** A 404 may name the property with the unknown id. */
function fieldFindings({ ids = [], fields, status }: Partial<Allowed> = {}, exchange: Exchange): Finding[] {
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
