import { document, headerName } from "../document.ts";
import type { RecordedExchange } from "../engine/outcome.ts";
import type { ClientCall } from "../exchange.ts";
import type { ContractResult } from "./result.ts";

interface Note {
  label: string;
  text: string;
}

/**
 * What belongs to an exchange besides its request and response, in the order in which it happened.
 * @param before the exchange shown above it: the notes on a call stand with its first attempt
 */
export const notesOf = (
  exchange: RecordedExchange,
  context: Pick<ContractResult, "traffic">,
  before?: RecordedExchange,
): Note[] => {
  const { hooks = [], call, disturbance, request } = exchange;
  const shown = isNextAttempt(call, before?.call) ? undefined : call;
  return [
    ...hooks.map((text) => ({ label: "hook", text })),
    ...(shown === undefined ? [] : [{ label: "call", text: shown.line }]),
    ...(shown?.attempts ?? []).map((text) => ({ label: "attempt", text })),
    ...(disturbance === undefined ? [] : [{ label: "service", text: disturbance }]),
    ...(shown === undefined ? [] : [{ label: "reply", text: shown.reply }]),
    ...(call === undefined ? [] : idempotencyKeyOf(request.headers)),
    ...(context.traffic === undefined ? [] : identityOf(exchange)),
  ];
};

/** Whether two requests are of the same call, the second right after the first. */
const isNextAttempt = (call: ClientCall | undefined, before: ClientCall | undefined): boolean =>
  call !== undefined && call.line === before?.line && call.attempts.length === before.attempts.length + 1;

/** The header that tells the attempts of a call from other requests. */
function idempotencyKeyOf(headers: Record<string, string>): Note[] {
  const key = headers["idempotency-key"];
  return key === undefined ? [] : [{ label: "header", text: `Idempotency-Key: ${key}` }];
}

const requestIdHeader = headerName(document, "ServiceRequestId").toLowerCase();

/** By which an exchange in traffic is found in the logs of the service and of others. */
function identityOf({ startedAt, response }: RecordedExchange): Note[] {
  const id = response.headers[requestIdHeader];
  // Not every record has times.
  const time = startedAt > 0 ? [new Date(startedAt).toISOString()] : [];
  const text = [...time, ...(id === undefined ? [] : [`request id ${id}`])].join(", ");
  return text === "" ? [] : [{ label: "time", text }];
}

/** The status of a response in words. */
export const statusText = ({ response }: RecordedExchange): string =>
  response.status === 0 ? "none" : String(response.status);
