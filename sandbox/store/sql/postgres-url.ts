import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";

/** The options of `pg` that a URL may have. */
const known = [
  ...["application_name", "host", "options", "password", "port", "ssl", "sslcert", "sslkey", "sslmode"],
  ...["sslnegotiation", "sslrootcert", "user"],
];

const modes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/** The options of a URL, and the variables in their place. */
const certificates = [
  ["sslrootcert", "PGSSLROOTCERT"],
  ["sslcert", "PGSSLCERT"],
  ["sslkey", "PGSSLKEY"],
] as const;

const locationHint =
  "Use postgres://user@host:5432/database, with the password in the variable PGPASSWORD, or with special characters encoded: # as %23, ? as %3F, % as %25.";

/**
 * @returns the URL with the password and with the TLS options of the environment, never printed; `shown` is for people, without both
 * @throws UserError if the URL is not one of a PostgreSQL database; it never quotes the URL, which may have a password
 */
export function parseDatabaseUrl(data: string) {
  const url = URL.parse(data);
  // `pg` would take a malformed escape for what it looks like.
  if (
    url === null ||
    /%(?![\da-f]{2})/i.test(data) ||
    !/^postgres(ql)?:$/.test(url.protocol) ||
    !data.includes("//") ||
    url.hash !== ""
  )
    throw new UserError("the location of the data is not the URL of a PostgreSQL database", {
      hint: locationHint,
    });
  checkOptions(url);
  addTls(url);
  return { url: url.href, shown: shownUrl(url.href) };
}

/** `pg` ignores an option that it does not know: with a misspelled `sslmode` it would connect without TLS. */
function checkOptions({ searchParams }: URL): void {
  for (const name of new Set(searchParams.keys())) {
    if (!known.includes(name))
      throw new UserError(
        // It may be a part of the password.
        /^\w+$/.test(name)
          ? `the URL of the database has an unsupported option "${name}"`
          : "the URL of the database has a ? that is not encoded, or an invalid option",
        { hint: `The options are ${known.join(", ")}. ${locationHint}` },
      );
    // `pg` would use the last one.
    if (searchParams.getAll(name).length > 1)
      throw new UserError(`the URL of the database has the option "${name}" more than once`, {
        hint: "Remove all but one.",
      });
  }
}

/**
 * Adds what the variables say about TLS. All modes but `disable` and `no-verify` verify the certificate: `pg` does so too, but warns, ignores a mode
 * that it does not know, and does not read the variables of the certificates.
 */
function addTls({ searchParams: options, hostname }: URL): void {
  const [name, mode] = options.has("sslmode")
    ? ["sslmode", options.get("sslmode") ?? ""]
    : ["PGSSLMODE", process.env.PGSSLMODE ?? ""];
  if (mode === "" && name === "PGSSLMODE") return;
  if (!modes.includes(mode))
    throw new UserError(`${name} is invalid (got "${mode}")`, {
      hint: `Use one of ${modes.join(", ")}. All but the first two verify the certificate of the server.`,
    });
  // A socket of this machine has no TLS.
  const isSocket = /^%2f/i.test(hostname) || options.get("host")?.startsWith("/");
  const isOff = mode === "disable" || isSocket;
  options.set("sslmode", isOff ? "disable" : mode === "no-verify" ? mode : "verify-full");
  for (const [option, variable] of certificates) {
    const file = process.env[variable] ?? "";
    if (file !== "" && !options.has(option)) options.set(option, file);
    if (isOff) options.delete(option);
  }
}

/** With what the usual variables add, such as PGHOST. */
function shownUrl(url: string): string {
  let client: pg.Client;
  try {
    client = new pg.Client({ connectionString: url });
  } catch (cause) {
    // Such as a certificate file that does not exist.
    throw new UserError(`an option of the database is invalid: ${(cause as Error).message}`, {
      hint: "Check sslmode, sslrootcert, sslcert and sslkey in its URL, and PGSSLROOTCERT, PGSSLCERT and PGSSLKEY.",
    });
  }
  const { host, port, database = "" } = client;
  if (!(port > 0 && port < 65_536))
    throw new UserError(`the port of the database is invalid (got "${port}")`, {
      hint: "Use a number from 1 to 65535, in the URL or in PGPORT.",
    });
  // Without one anywhere, the server rejects the connection.
  const user = client.user ? `${encodeURIComponent(client.user)}@` : "";
  // The folder of a socket is encoded, as in the URLs of other programs.
  const hostname = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  return `postgres://${user}${hostname}:${port}/${encodeURIComponent(database)}`;
}
