import { errorOf } from "../../exchange.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import type { Call } from "../driver/driver.ts";
import type { WireExchange } from "../service/wire.ts";
import { jsonOf } from "./to-exchange.ts";

/** The service accepts requests that violate these. */
const accepted = new Set(["GEN-5", "AUTH-6"]);

/**
 * The requirements that a request violates, if the service itself rejected it. What the client makes of the rejection says nothing about
 * other requirements.
 */
export function causesOfRejection(
  { request, response, ownStatus = 0 }: WireExchange,
  { idempotencyKey }: Call,
  findings: readonly ResponseFinding[],
): string[] {
  if (ownStatus < 400 || ownStatus >= 500) return [];
  const violated = findings.flatMap(({ ids, failure }) => (failure === undefined ? [] : ids));
  const { type } = errorOf({ json: jsonOf(response?.body.toString() ?? "") }) ?? {};
  const isOwnConflict =
    type === "idempotency_conflict" && request.headers["idempotency-key"] !== idempotencyKey;
  return [...violated.filter((id) => !accepted.has(id)), ...(isOwnConflict ? ["IDEM-5"] : [])];
}
