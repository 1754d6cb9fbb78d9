import { isIP } from "node:net";
import { UserError } from "../../lib/user-error.ts";
import { decoded } from "../api/path-matcher.ts";
import { isLoopback } from "../http/hosts.ts";

/** How to reach an SMTP server. `toString` and `inspect` do not show the password. */
export class SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start, instead of STARTTLS. */
  readonly secure: boolean;
  /** Whether mail is sent on encrypted connections only. */
  readonly requireTls: boolean;
  /** Whether the certificate of the server must be valid. */
  readonly verify: boolean;
  readonly #credentials: { user: string; pass: string } | undefined;

  constructor(url: URL) {
    this.host = url.hostname.replace(/^\[|\]$/g, "");
    this.secure = url.protocol === "smtps:";
    this.port = Number(url.port || (this.secure ? 465 : 25));
    this.verify = url.searchParams.get("verify") !== "false";
    if (url.username !== "") this.#credentials = { user: decode(url.username), pass: decode(url.password) };
    // A password is sent unencrypted to this machine only.
    const tlsDefault = this.#credentials === undefined || isLoopback(this.host) ? "optional" : "required";
    this.requireTls = !this.secure && (url.searchParams.get("tls") ?? tlsDefault) === "required";
  }

  get credentials(): { user: string; pass: string } | undefined {
    return this.#credentials;
  }

  /** Removes the password, in all forms in which SMTP transmits it, from a text that is shown. */
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

/**
 * Parses the URL of an SMTP server: `smtp://user:password@host:port`, or `smtps://` for TLS from the start, with the optional parameters
 * `tls=required`, `tls=optional` and `verify=false`.
 *
 * @throws UserError without user and password
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === "" ||
    /^\/?./.test(url.pathname.slice(1)) ||
    url.port === "0"
  ) {
    const hint = "Write it as smtp://host:port or smtps://user:password@host:port.";
    throw new UserError(`the URL of the SMTP server is invalid (got ${JSON.stringify(shown(text))})`, {
      hint,
      exitCode: 2,
    });
  }
  for (const [name, value] of url.searchParams) {
    if (/^(tls=(required|optional)|verify=(true|false))$/.test(`${name}=${value}`)) continue;
    const hint = "Supported are ?tls=required, ?tls=optional and ?verify=false.";
    throw new UserError("the URL of the SMTP server has an unknown parameter", { hint, exitCode: 2 });
  }
  return new SmtpServer(url);
}

/** The text of an invalid URL without what may be a user or password: all before an `@`, after a colon unless it is a port, and parameters. */
const shown = (text: string): string =>
  text
    .replace(/^(\w+:\/\/)?.*@/s, "$1***@")
    .replace(/[?#].*/s, "")
    .replace(/:(?!\/\/|\d{1,5}(?:\/|$)).*/s, ":***")
    .slice(0, 100);

const decode = (part: string): string => decoded(part) ?? part;

const base64 = (text: string): string => Buffer.from(text).toString("base64");
