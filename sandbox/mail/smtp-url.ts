import { isIP } from "node:net";
import { Mistake } from "../mistake.ts";

/** How to reach an SMTP server. `toString` and `inspect` tell where it is, never the password. */
export class SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte on, in place of STARTTLS. */
  readonly secure: boolean;
  /** Whether mail is handed over only on an encrypted connection. */
  readonly requireTls: boolean;
  /** Whether the server's certificate has to be valid. */
  readonly verify: boolean;
  readonly #credentials: { user: string; pass: string } | undefined;

  constructor(url: URL) {
    this.host = url.hostname.replace(/^\[|\]$/g, "");
    this.secure = url.protocol === "smtps:";
    this.port = Number(url.port || (this.secure ? 465 : 25));
    this.verify = url.searchParams.get("verify") !== "false";
    if (url.username !== "") this.#credentials = { user: decode(url.username), pass: decode(url.password) };
    // A password goes over the network in the clear only where the network is this machine.
    const open = this.#credentials === undefined || isLoopback(this.host);
    this.requireTls =
      !this.secure && (url.searchParams.get("tls") ?? (open ? "optional" : "required")) === "required";
  }

  get credentials(): { user: string; pass: string } | undefined {
    return this.#credentials;
  }

  /** Takes the password, and what it looks like on the wire, out of a text that is to be shown. */
  redact(text: string): string {
    if (this.#credentials === undefined) return text;
    const { user, pass } = this.#credentials;
    const forms = [pass, encodeURIComponent(pass), base64(`\0${user}\0${pass}`), base64(pass)];
    return forms.filter((form) => form !== "").reduce((clean, form) => clean.replaceAll(form, "***"), text);
  }

  toString(): string {
    return `${this.secure ? "smtps" : "smtp"}://${isIP(this.host) === 6 ? `[${this.host}]` : this.host}:${this.port}`;
  }
}

const settings = new Map([
  ["tls", ["required", "optional"]],
  ["verify", ["true", "false"]],
]);

/**
 * Reads where an SMTP server is: `smtp://user:password@host:port`, `smtps://` for TLS from the start; `?tls=required` (or `optional`)
 * and `?verify=false`.
 *
 * @throws Mistake when that is not possible; it never has the address in it, where a password may stand
 */
export function parseSmtpUrl(given: string): SmtpServer {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (
    url === undefined ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === "" ||
    /^\/?./.test(url.pathname.slice(1)) ||
    url.port === "0"
  ) {
    throw new Mistake(
      "The address of the SMTP server cannot be read.",
      "Write it as smtp://host:port, or smtps://user:password@host:port.",
    );
  }
  for (const [name, value] of url.searchParams) {
    if (settings.get(name)?.includes(value) === true) continue;
    throw new Mistake(
      "The address of the SMTP server has a setting that is not known.",
      "Known are ?tls=required, ?tls=optional and ?verify=false.",
    );
  }
  return new SmtpServer(url);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
