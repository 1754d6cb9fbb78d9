import { StoreUnavailableError } from "../../domain/store.ts";

/** The codes of PostgreSQL for a transaction that has to be repeated: a conflict with another one, or a deadlock. */
const repeatable = new Set(["40001", "40P01"]);

/**
 * The codes of PostgreSQL for a database that cannot respond now: connections (08), resources (53), timeouts and locks (55P03, 57014), shutdown
 * and start (57P), and a standby that is read-only (25006).
 */
const unavailable = /^(08|53|57P0|55P03$|57014$|25006$|25P03$)/;

/** Errors of sockets, and those of `pg` that have no code. */
const socketCodes =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ERR_STREAM|ERR_SSL)/;
const clientMessages =
  /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/;

/** The code of an error of PostgreSQL or of a socket; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const isRepeatable = (error: unknown): boolean => repeatable.has(codeOf(error));

/** Whether the connection to the database was lost or could not be opened, or the database cannot respond now. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === "") return clientMessages.test(error.message) || error instanceof AggregateError;
  return unavailable.test(code) || socketCodes.test(code) || error instanceof AggregateError;
}

/** What a method of the store rejects with: errors of the database that pass become a `StoreUnavailableError`. */
export function storeError(error: unknown): unknown {
  if (!isUnavailable(error) && !isRepeatable(error)) return error;
  return new StoreUnavailableError("The database does not respond.", { cause: error });
}
