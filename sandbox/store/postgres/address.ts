import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";

/** Where a database is. */
export interface DatabaseAddress {
  /** With the password. Never printed. */
  url: string;
  /** Without the password and without options, for people. */
  shown: string;
}

/** @throws UserError if the URL is not one of a PostgreSQL database; it never quotes the URL, which may have a password */
export function readAddress(url: string): DatabaseAddress {
  const parsed = URL.parse(url);
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol))
    throw new UserError("the URL of the database is invalid", {
      hint: "Use postgres://user@host:5432/database, with the password in the variable PGPASSWORD.",
    });
  return { url, shown: shownUrl(url) };
}

/** With what the usual variables add, such as PGHOST. */
function shownUrl(url: string): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (cause) {
    // Such as a certificate file that does not exist.
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new UserError(`an option in the URL of the database is invalid${reason}`, {
      hint: "Check sslmode, sslrootcert, sslcert and sslkey.",
    });
  }
  const { user = "", host, port, database = "" } = client;
  const place = host.startsWith("/") ? "localhost" : `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return `postgres://${encodeURIComponent(user)}@${place}/${encodeURIComponent(database)}`;
}
