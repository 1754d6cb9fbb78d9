import { operations } from "../../generated/operations.ts";
import { count } from "../../lib/text.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import { absent, operationAt } from "../exchange.ts";
import { brief } from "../text.ts";
import { errorTypeIn } from "./exchange-text.ts";
import { type ContractResult, exchangesOf, type FailedCase, failedCases } from "./result.ts";
import type { Group, Section } from "./sections.ts";

/** The unexpected failures of a run, by cause. */
export interface Diagnosis {
  /** The missing operations, each with the requirements that fail because of it, the most first. */
  causes: Group[];
  /** Failures without a common cause. */
  others: FailedCase[];
  /** Failures that one of the causes explains. */
  explained: FailedCase[];
}

/** What explains many failures at once; nothing if nothing does. */
export const causesSection = ({ causes }: Diagnosis): Section[] =>
  causes.length === 0 ? [] : [{ title: "Common causes", severity: "error", groups: causes }];

/** Statuses that come before routing: they do not show whether an operation exists. */
const beforeRouting: readonly number[] = [401, 429];

export function diagnose(result: ContractResult): Diagnosis {
  const failed = failedCases(result).filter(({ isExpected }) => !isExpected);
  // What is below is about a server.
  if (result.client !== undefined || result.traffic !== undefined)
    return { causes: [], others: failed, explained: [] };
  const missing = missingOperations([...exchangesOf(result).keys()]);
  const groups = Map.groupBy(failed, (one) => causeOf(one, missing));
  const others = groups.get(undefined) ?? [];
  const explained = failed.filter((one) => !others.includes(one));
  const causes = [...groups].flatMap(([name, own]) => {
    if (name === undefined) return [];
    const ids = [...new Set(own.flatMap((one) => one.ids))];
    const number = count(ids.length, "requirement fails", "requirements fail");
    return [{ what: `${name} always responds with ${missing.get(name)}: ${number} because of it`, ids }];
  });
  causes.sort((one, other) => other.ids.length - one.ids.length);
  return { causes, others, explained };
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
  { exchanges, expected, source }: FailedCase,
  missing: ReadonlyMap<string, string>,
): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || "responses" in source) return undefined;
  const { status } = exchange.response;
  const name = nameOf(exchange);
  const isAbsent = absent.includes(status) && !expected.includes(String(status));
  return isAbsent && name !== undefined && missing.has(name) ? name : undefined;
}
