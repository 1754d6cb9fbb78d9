import type { RecordedExchange } from "../engine/outcome.ts";
import type { ClientCall } from "../exchange.ts";

/**
 * What belongs to an exchange besides its request and response, in the order in which it happened.
 * @param before the exchange shown above it: the notes on a call stand with its first attempt
 */
export const notesOf = (
  { hooks = [], call, disturbance, request }: RecordedExchange,
  before?: RecordedExchange,
): { label: string; text: string }[] => {
  const shown = isNextAttempt(call, before?.call) ? undefined : call;
  return [
    ...hooks.map((text) => ({ label: "hook", text })),
    ...(shown === undefined ? [] : [{ label: "call", text: shown.line }]),
    ...(shown?.attempts ?? []).map((text) => ({ label: "attempt", text })),
    ...(disturbance === undefined ? [] : [{ label: "service", text: disturbance }]),
    ...(shown === undefined ? [] : [{ label: "reply", text: shown.reply }]),
    ...(call === undefined ? [] : idempotencyKeyOf(request.headers)),
  ];
};

/** Whether two requests are of the same call, the second right after the first. */
const isNextAttempt = (call: ClientCall | undefined, before: ClientCall | undefined): boolean =>
  call !== undefined && call.line === before?.line && call.attempts.length === before.attempts.length + 1;

/** The header that tells the attempts of a call from other requests. */
function idempotencyKeyOf(headers: Record<string, string>): { label: string; text: string }[] {
  const key = headers["idempotency-key"];
  return key === undefined ? [] : [{ label: "header", text: `Idempotency-Key: ${key}` }];
}

/** The status of a response in words. */
export const statusText = ({ response }: RecordedExchange): string =>
  response.status === 0 ? "none" : String(response.status);
