import { operations } from "../../../generated/operations.ts";
import type { Call, Capabilities, Reply } from "../driver/driver.ts";
import type { WireExchange } from "../service/wire.ts";
import { errorIn } from "./attempt-checks.ts";

/** What the errors of a client have although its driver declares that they do not. */
export function adviseErrors(reply: Reply | undefined, { errors }: Pick<Capabilities, "errors">): string[] {
  if (errors === undefined || reply === undefined || !("error" in reply)) return [];
  const { error } = reply;
  return parts
    .filter((name) => error[name] != null && !errors.includes(name))
    .map(
      (name) =>
        `The driver declares that its errors have no ${name}, but they do: declare ${name} to have the suite test it.`,
    );
}

const parts = ["fields", "requestId"] as const;

/** What the attempts of a call leave to chance, which no requirement says. */
export function adviseAttempts(
  wire: readonly WireExchange[],
  { operation }: Call,
  { retries }: Pick<Capabilities, "retries">,
): string[] {
  const repeated = wire.slice(0, -1);
  const isLost = repeated.some(({ response }) => response === undefined);
  const failure = repeated.find(({ response }) => response === undefined || response.status >= 500);
  const { method, idempotent } = operations[operation];
  const cause = failure && (errorIn(failure)?.split(" ")[0] ?? "a lost connection");
  return [
    ...(cause !== undefined && method !== "GET" && !idempotent
      ? [
          `The client sends ${operation} again after ${cause}. The operation takes no idempotency key: if the first request was processed, the second may return an error.`,
        ]
      : []),
    ...(isLost && !retries
      ? [
          `A request of ${operation} is sent again after a lost connection, although the driver declares no retries; an HTTP library may do that.`,
        ]
      : []),
  ];
}
