import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { addTls } from "./tls.ts";

/** Where a database is. */
export interface DatabaseAddress {
  /** With the password, and with the TLS options of the environment. Never printed. */
  url: string;
  /** Without the password and without options, for people. */
  shown: string;
}

/** @throws UserError if the URL is not one of a PostgreSQL database; it never quotes the URL, which may have a password */
export function readAddress(data: string): DatabaseAddress {
  const url = URL.parse(data);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) throw invalid();
  // Without two slashes it is not a URL, but perhaps a word after the colon.
  if (!data.includes("//")) throw invalid(/^\w+:\w*$/.test(data) ? ` (got "${data}")` : "");
  checkOptions(url);
  checkPort(url);
  addTls(url);
  return { url: url.href, shown: shownUrl(url.href) };
}

const invalid = (got = ""): UserError =>
  new UserError(`the place of the data is neither postgres:embedded nor the URL of a database${got}`, {
    hint: "Use postgres://user@host:5432/database, with the password in the variable PGPASSWORD.",
  });

/** The options that a URL may have. */
const options = [
  ...["application_name", "host", "options", "password", "port", "ssl", "sslcert", "sslkey", "sslmode"],
  ...["sslnegotiation", "sslrootcert", "user"],
];

/** `pg` ignores an option that it does not know: with a misspelled `sslmode` it would connect without TLS. */
function checkOptions({ searchParams }: URL): void {
  const unknown = [...searchParams.keys()].find((name) => !options.includes(name));
  if (unknown === undefined) return;
  // It may be a part of the password, with a question mark that is not encoded.
  if (!/^\w+$/.test(unknown)) throw invalid();
  throw new UserError(`the URL of the database has an unsupported option "${unknown}"`, {
    hint: `Remove or correct it. The options are ${options.join(", ")}.`,
  });
}

function checkPort({ port }: URL): void {
  const { PGPORT: given = "" } = process.env;
  if (port !== "" || given === "") return;
  const number = Number(given);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return;
  throw new UserError(`PGPORT is invalid (got "${given}")`, {
    hint: "Use a number from 1 to 65535, or add the port to the URL of the database.",
  });
}

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
  const place = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${user}${place}:${port}/${encodeURIComponent(database)}`;
}
