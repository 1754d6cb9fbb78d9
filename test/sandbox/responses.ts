import type { Exchange } from "../../contract/exchange.ts";
import { checkResponse as checkExchange } from "../../contract/response-checks/check-response.ts";
import { errors } from "../../generated/errors.ts";
import { type OperationId, type OperationRow, operations } from "../../generated/operations.ts";
import { createRouter } from "../../sandbox/api/paths.ts";

/** A response of the sandbox as a test sees it. */
export interface SeenResponse {
  method: string;
  /** Without the query. */
  path: string;
  status: number;
  /** By their names in lower case. */
  headers: Record<string, string>;
  text: string;
}

const findRoute = createRouter(Object.values(operations));

/**
 * Fails the test when a response is not what the contract requires, as the contract suite checks it, or not what the sandbox decides where
 * the contract leaves it open.
 */
export function checkResponse({ method, path, status, headers, text }: SeenResponse): void {
  const route = findRoute(method, path);
  const operation =
    "operation" in route ? (route.operation as OperationRow & { id: OperationId }) : undefined;
  const request = { method, path, ...(operation && { operation: operation.id }) };
  const sent = { headers: {}, text: undefined };
  const json = text === "" ? undefined : JSON.parse(text);
  const exchange: Exchange = { request, sent, status, headers, text, json, startedAt: 0, milliseconds: 0 };
  const failed = checkExchange(exchange, null).findings.filter(({ failure }) => failure !== undefined);
  const faults = [...failed.map((finding) => JSON.stringify(finding)), ...ownFaults(exchange, operation)];
  if (faults.length === 0) return;
  throw new Error(`${method} ${path} -> ${status}: ${faults.join("; ")}\n${text.slice(0, 2000)}`);
}

/** What the contract does not require of every service. */
function ownFaults({ status, headers, text, json }: Exchange, operation: OperationRow | undefined): string[] {
  const isSuccess = status < 300;
  const type = (json as { error?: { type?: string } } | undefined)?.error?.type;
  const isKnown = Object.values(errors).some(
    (row) =>
      row.status === status &&
      (row.type === null || row.type === type) &&
      (operation === undefined
        ? row.operations.length === 0
        : (row.operations as readonly string[]).includes(operation.id)),
  );
  const sends = operation?.id === "sendEmail" || operation?.id === "sendBatch";
  const facts: [holds: boolean, fault: string][] = [
    [isSuccess || isKnown, `${status} ${type} does not belong to ${operation?.id ?? "the gateway"}`],
    [text !== "" || status === 500, "the body is missing"],
    [isSuccess === "x-ratelimit-remaining" in headers, "rate headers are on successes, and only there"],
    [(isSuccess && sends) === "x-service-monthly-quota" in headers, "quota headers are on sends only"],
    [(status === 405) === "allow" in headers, "Allow is on 405, and only there"],
    [!/\bat [^"]+:\d+:\d+|node:internal|sandbox_[a-z_]+_[0-9a-f]{4}/.test(text), "a stack or key leaks"],
  ];
  return facts.filter(([holds]) => !holds).map(([, fault]) => fault);
}
