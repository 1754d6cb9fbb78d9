import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { addTls } from "./tls.ts";
import { checkOptions } from "./url-options.ts";

/** The URL of a database. */
export interface DatabaseUrl {
  /** With the password, and with the TLS options of the environment. Never printed. */
  url: string;
  /** Without the password and without options, for people. */
  shown: string;
}

/** @throws UserError if the URL is not one of a PostgreSQL database; it never quotes the URL, which may have a password */
export function parseDatabaseUrl(data: string): DatabaseUrl {
  checkEncoding(data);
  const url = URL.parse(data);
  if (url === null && invalidPort.test(data))
    throw portError("the port in the URL of the database is invalid");
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) throw notDatabaseUrl();
  // Without two slashes it is not a URL, but perhaps a word after the colon.
  if (!data.includes("//")) throw notDatabaseUrl(/^\w+:\w*$/.test(data) ? ` (got "${data}")` : "");
  checkOptions(url);
  checkPorts(url);
  addTls(url);
  return { url: url.href, shown: shownUrl(url.href) };
}

const notDatabaseUrl = (got = ""): UserError =>
  new UserError(`the location of the data is not the URL of a database${got}`, {
    hint: "Use postgres://user@host:5432/database, with the password in the variable PGPASSWORD.",
  });

/** `#` ends what is parsed, and `pg` would take a malformed escape for what it looks like. */
function checkEncoding(data: string): void {
  if (data.includes("#")) throw encodingError("a # that is not encoded", "# as %23");
  try {
    decodeURIComponent(data);
  } catch {
    throw encodingError("a malformed %-escape", "% as %25");
  }
}

const encodingError = (problem: string, correction: string): UserError =>
  new UserError(`the URL of the database has ${problem}`, {
    hint: `Write ${correction}, or set the password in the variable PGPASSWORD.`,
  });

/** A number at the end of the host, and no @ after it: it is not a part of the password. */
const invalidPort = /^postgres(ql)?:\/\/([^@/?]*@)?(\[[^\]]*\]|[^@/?:]*):\d+([/?][^@]*)?$/i;

function checkPorts({ port, searchParams }: URL): void {
  const { PGPORT = "" } = process.env;
  const option = searchParams.get("port");
  const given = { port: option ?? "", "the port in the URL": port, PGPORT };
  const [name, value] = Object.entries(given).find(([, text]) => text !== "") ?? [];
  if (value === undefined || (/^\d+$/.test(value) && Number(value) > 0 && Number(value) < 65_536)) return;
  throw portError(`${name} is invalid (got "${value}")`);
}

const portError = (message: string): UserError =>
  new UserError(message, { hint: "Use a number from 1 to 65535." });

/** With what the usual variables add, such as PGHOST. */
function shownUrl(url: string): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (cause) {
    // Such as a certificate file that does not exist.
    const reason = cause instanceof Error ? `: ${cause.message}` : "";
    throw new UserError(`an option of the database is invalid${reason}`, {
      hint: "Check sslmode, sslrootcert, sslcert and sslkey in its URL, and PGSSLROOTCERT, PGSSLCERT and PGSSLKEY.",
    });
  }
  const { host, port, database = "" } = client;
  // Without one anywhere, the server rejects the connection.
  const user = client.user ? `${encodeURIComponent(client.user)}@` : "";
  // The folder of a socket is encoded, as in the URLs of other programs.
  const hostname = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${user}${hostname}:${port}/${encodeURIComponent(database)}`;
}
