import type { Exchange } from "../../exchange.ts";
import type { Call } from "../driver/driver.ts";
import type { WireExchange } from "../service/wire.ts";

/**
 * A recorded request as an exchange of the report.
 *
 * @param before the requests of the same call before it
 */
export function toExchange(
  { request, response, disturbance, receivedAt, endedAt, startedAt }: WireExchange,
  { call, reply, before }: { call: Call; reply: unknown; before: readonly WireExchange[] },
  key: string,
): Exchange {
  const text = response?.body.toString() ?? "";
  const sent = request.body.length === 0 ? undefined : request.body.toString();
  return {
    request: {
      operation: call.operation,
      method: request.method,
      path: request.target,
      ...(request.headers.authorization === `Bearer ${key}` ? {} : { key: null }),
    },
    sent: { headers: request.headers, text: sent },
    status: response?.status ?? 0,
    headers: response?.headers ?? {},
    text,
    json: jsonOf(text),
    startedAt,
    milliseconds: Number.isFinite(endedAt) ? endedAt - receivedAt : 0,
    call: {
      line: JSON.stringify(call),
      reply: JSON.stringify(reply) ?? "no reply",
      attempts: before.map(attemptText),
    },
    ...(disturbance !== undefined && { disturbance }),
  };
}

function attemptText({ request, response }: WireExchange): string {
  const { method, target, headers } = request;
  const key = headers["idempotency-key"];
  return `${method} ${target} ${response?.status ?? "no response"}${key === undefined ? "" : `, Idempotency-Key: ${key}`}`;
}

/** A text as JSON; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
