import { errors } from "../../../generated/errors.ts";
import { operations } from "../../../generated/operations.ts";
import { jsonOf } from "../../../lib/objects.ts";
import { errorOf } from "../../exchange.ts";
import { comparing, type ResponseFinding } from "../../response-checks/finding.ts";
import type { Call, Capabilities, Reply } from "../driver/protocol.ts";
import type { WireExchange } from "../service/recording-server.ts";

export const compare = comparing({
  lastingError: ["ERR-15", "does not retry an error that stays"],
  declared: ["ERR-15", "sends one request, as the driver declares"],
  withoutKey: ["IDEM-5", "sends nothing again without an idempotency key"],
  wait: ["HEAD-9", "waits as long as Retry-After says"],
  sameKey: ["IDEM-5", "has the same idempotency key in all attempts"],
});

/** In milliseconds: timers may fire early. */
const tolerance = 25;

const neverRetried = new Set(
  Object.values(errors).flatMap(({ status, type, retry }) =>
    retry === "never" && type !== null ? [`${status} ${type}`] : [],
  ),
);

/** Checks the requests of one call together: which failures the client retries, and how. How long it waits needs several calls. */
export function* checkAttempts(
  wire: readonly WireExchange[],
  call: Call,
  { retries }: Pick<Capabilities, "retries">,
): Generator<ResponseFinding> {
  const { idempotent } = operations[call.operation];
  for (const [index, exchange] of wire.entries()) {
    const next = wire[index + 1];
    const error = errorIn(exchange);
    const pause = Math.round((next?.receivedAt ?? exchange.endedAt) - exchange.endedAt);
    const again = `another request ${pause} ms after ${error ?? "a lost connection"}`;
    if (error !== undefined && neverRetried.has(error))
      yield compare.lastingError(next === undefined, `no retry after ${error}`, again);
    if (error !== undefined && !retries) yield declaredFinding(next === undefined, again);
    // What may have been processed is sent again only with an idempotency key, if its operation takes one.
    if (idempotent && maybeProcessed(exchange) && keyOf(exchange) === undefined)
      yield compare.withoutKey(
        next === undefined,
        "no retry without an idempotency key: the service may have processed the request",
        again,
      );
    if (next !== undefined && error === "429 rate_limited") yield* checkWait(exchange, next);
  }
  if (idempotent && wire.length > 1) {
    const keys = [...new Set(wire.map((exchange) => keyOf(exchange) ?? "none"))];
    const expected = "the same idempotency key in all requests of a call";
    yield compare.sameKey(keys.length === 1, expected, keys.join(", "));
  }
  // Without retries of the client, HTTP libraries repeat a request whose method is safe or idempotent after a lost connection, and some of
  // them any request once (those of Go one with an idempotency key). What is repeated more often, the client repeats.
  const lost = wire.findIndex(
    ({ response, request }) => response === undefined && !["GET", "DELETE"].includes(request.method),
  );
  if (!retries && lost !== -1) {
    const more = wire.length - lost - 1;
    const found = `${more} more requests after a lost connection; HTTP libraries repeat one`;
    yield declaredFinding(more <= 1, found);
  }
}

const declaredFinding = (isKept: boolean, found: string): ResponseFinding =>
  compare.declared(isKept, "one request: the driver declares that the client does not retry", found);

function* checkWait(exchange: WireExchange, next: WireExchange): Generator<ResponseFinding> {
  const seconds = exchange.response?.headers["retry-after"] ?? "";
  // The service sends seconds; other forms of the header are not its own.
  if (!/^\d+$/.test(seconds)) return;
  const wait = next.receivedAt - exchange.endedAt;
  yield compare.wait(
    wait >= Number(seconds) * 1000 - tolerance,
    `no request within ${seconds} s, as Retry-After says`,
    `a request after ${Math.round(wait)} ms`,
  );
}

const keyOf = ({ request }: WireExchange): string | undefined => request.headers["idempotency-key"];

const maybeProcessed = ({ response }: WireExchange) => response === undefined || response.status >= 500;

/** Status and type of an error response: `429 rate_limited`, `500`. */
function errorIn({ response }: WireExchange): string | undefined {
  if (response === undefined || response.status < 400) return undefined;
  const { type } = errorOf({ json: jsonOf(response.body.toString()) }) ?? {};
  return typeof type === "string" ? `${response.status} ${type}` : `${response.status}`;
}

/** What the errors of a client have although its driver declares that they do not. */
export function adviseErrors(reply: Reply | undefined, { errors }: Pick<Capabilities, "errors">): string[] {
  if (errors === undefined || reply === undefined || !("error" in reply)) return [];
  return (["fields", "requestId"] as const)
    .filter((name) => reply.error[name] != null && !errors.includes(name))
    .map(
      (name) =>
        `The driver declares that its errors have no ${name}, but they do: declare ${name} to have the suite test it.`,
    );
}

/** What the attempts of a call leave to chance, which no requirement says. */
export function adviseAttempts(wire: readonly WireExchange[], { operation }: Call): string[] {
  const failure = wire.slice(0, -1).find(maybeProcessed);
  const { method, idempotent } = operations[operation];
  const cause = failure && (errorIn(failure)?.split(" ")[0] ?? "a lost connection");
  if (cause === undefined || method === "GET" || idempotent) return [];
  return [
    `The client sends ${operation} again after ${cause}. The operation takes no idempotency key: if the first request was processed, the second may return an error.`,
  ];
}
