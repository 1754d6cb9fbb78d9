import { UserError } from "../../../lib/user-error.ts";

const modes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/** The options of a URL, and the variables in their place. */
const certificates = [
  ["sslrootcert", "PGSSLROOTCERT"],
  ["sslcert", "PGSSLCERT"],
  ["sslkey", "PGSSLKEY"],
] as const;

/**
 * Adds what the variables say about TLS to the URL of a database. All modes but `disable` and `no-verify` verify the certificate: `pg` does so
 * too, but warns, ignores a mode that it does not know, and does not read the variables of the certificates.
 *
 * @throws UserError if the mode is invalid
 */
export function addTls({ searchParams: options, hostname }: URL): void {
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
