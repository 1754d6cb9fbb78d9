import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Fetch } from "../engine/http.ts";
import { type Role, rolesOfOne } from "../engine/settings.ts";
import { operationAt } from "../operation-at.ts";
import type { Cost } from "./costs.ts";

/** Counts what is sent, by law. */
export interface Meter {
  fetch: Fetch;
  costs: Record<string, Cost>;
}

const empty = (): Cost => ({ trials: 0, requests: {}, paced: 0, messages: 0, recipients: 0 });

/**
 * Measures what laws send.
 *
 * @param current the name of the law that a request is made for
 * @param isPaced whether a request with this key counts for the limit of the account that most are made on
 */
export function createMeter(
  fetch: Fetch,
  current: () => string,
  isPaced: (authorization: string | undefined) => boolean,
): Meter {
  const costs: Record<string, Cost> = {};
  return {
    costs,
    fetch: async (url, init) => {
      costs[current()] ??= empty();
      const cost = costs[current()] as Cost;
      const method = init.method ?? "GET";
      const operation = operationAt(method, new URL(url).pathname);
      const name =
        operation === undefined ? "other" : `${operations[operation].method} ${operations[operation].path}`;
      cost.requests[name] = (cost.requests[name] ?? 0) + 1;
      const { authorization } = init.headers as Record<string, string | undefined>;
      if (isPaced(authorization)) cost.paced += 1;
      const answer = await fetch(url, init);
      const isNew = answer.ok && answer.headers.get("idempotent-replayed") !== "true";
      if (isNew && operation !== undefined) countMail(cost, operation, init.body);
      return answer;
    },
  };
}

function countMail(cost: Cost, operation: OperationId, body: unknown): void {
  // What is canceled was sent by the same law, or by one that shares it: the sum is right.
  if (operation === "cancelEmail") {
    cost.messages -= 1;
    cost.recipients -= 1;
  }
  if ((operation !== "sendEmail" && operation !== "sendBatch") || typeof body !== "string") return;
  const given = JSON.parse(body) as Record<string, unknown>;
  const messages = operation === "sendBatch" ? (given.emails as Record<string, unknown>[]) : [given];
  cost.messages += messages.length;
  for (const { to, cc, bcc } of messages) cost.recipients += [to, cc, bcc].flat().filter(Boolean).length;
}

/** The roles whose calls count for the limit of the account of the key `full`. */
export const rolesOfFull: readonly Role[] = rolesOfOne.filter((role) => role !== "revoked");
