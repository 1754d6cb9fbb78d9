import { createTransport } from "nodemailer";
import pLimit from "p-limit";
import { decoded } from "../../lib/text.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { everyone, type Recipients, relayFailed } from "../domain/due.ts";
import type { DueMessage, Store } from "../domain/store.ts";
import { isLoopback } from "../http/hosts.ts";
import type { Clock } from "../time/clock.ts";
import { compose } from "./compose.ts";

export interface RelayOptions {
  store: Pick<Store, "changeMessage" | "message">;
  clock: Pick<Clock, "now">;
  server: SmtpServer;
  simulatorDomain: string;
  /** The longest to wait for a connection or a reply, in milliseconds. */
  smtpTimeout?: number;
  onError: (error: unknown) => void;
}

/** Connections to the server at the same time. */
const connections = 4;

/** Hands messages to an SMTP server, each once. If that fails, an event of the message says why, and so does the log. */
export function createRelay(options: RelayOptions) {
  const { store, clock, server, simulatorDomain, onError } = options;
  const limit = pLimit(connections);
  const inProgress = new Set<Promise<void>>();
  /** Open while messages are in progress. If the server closes a connection between two of them, the second one gets another. */
  let transport: ReturnType<typeof openTransport> | undefined;
  /** Another one after each reset. */
  let generation = {};
  let isClosed = false;
  /** Sends a message. @returns why the server did not accept it for all recipients */
  const failureOf = async (accountId: string, id: string, to: string[]): Promise<string | undefined> => {
    if (isClosed) return "The sandbox stopped before.";
    const message = await store.message(accountId, id);
    if (message === undefined) return undefined;
    const raw = Buffer.from(await compose(message));
    try {
      transport ??= openTransport(options);
      const { rejectedErrors = [] } = await transport.sendMail({ envelope: { from: message.from, to }, raw });
      return rejectedErrors[0]?.message;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const handOver = async (accountId: string, id: string, to: string[], own: object): Promise<void> => {
    if (own !== generation) return;
    const failure = await failureOf(accountId, id, to);
    // After a reset, another message may have its id.
    if (failure === undefined || own !== generation) return;
    const reply = server.redact(failure);
    await store.changeMessage(accountId, id, (message) => ({
      ...message,
      events: [...message.events, { type: relayFailed, at: clock.now(), detail: reply }],
    }));
    // Without the id, so that the log has one line a minute for the same reply.
    throw new UserError(
      `the SMTP server ${server} did not accept a message, which is not sent again: ${reply}`,
    );
  };
  /** Resolves when no message is left. */
  const settled = async (): Promise<void> => {
    while (inProgress.size > 0) await Promise.all(inProgress);
  };
  return {
    settled,
    /** Hands a sent message to the server soon, unless all its recipients are simulated. */
    send(message: DueMessage): void {
      const to = leaving(message, simulatorDomain);
      if (to.length === 0) return;
      // The content of a message that waits stays in the store only.
      const { accountId, id } = message;
      const own = generation;
      const work = limit(() => handOver(accountId, id, to, own))
        .catch(onError)
        .finally(() => {
          inProgress.delete(work);
          if (inProgress.size > 0) return;
          transport?.close();
          transport = undefined;
        });
      inProgress.add(work);
    },
    /** Drops the messages that wait, for a reset. */
    forget(): void {
      generation = {};
    },
    /** Waits for the messages that are left. After the deadline, those that wait have failed. */
    async close(deadlineMilliseconds: number): Promise<void> {
      const deadline = setTimeout(() => {
        isClosed = true;
      }, deadlineMilliseconds);
      await settled();
      clearTimeout(deadline);
    },
  };
}

const openTransport = ({ server, smtpTimeout: timeout = 10_000 }: RelayOptions) =>
  createTransport({
    ...{ pool: true, maxConnections: connections, maxMessages: Number.POSITIVE_INFINITY, maxRequeues: 1 },
    ...{ host: server.host, port: server.port, secure: server.secure, requireTLS: server.requireTls },
    ...{ tls: { rejectUnauthorized: server.verify }, logger: false },
    ...(server.credentials() && { auth: server.credentials() }),
    ...{ connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout, dnsTimeout: timeout },
  });

/** All recipients of a message but the simulated ones, which nothing is ever sent to. Duplicates that differ in case only are removed. */
function leaving(recipients: Recipients, simulatorDomain: string): string[] {
  const unique = new Map(everyone(recipients).map((address) => [address.toLowerCase(), address]));
  return [...unique].flatMap(([lower, address]) =>
    lower.slice(lower.lastIndexOf("@") + 1).replace(/\.$/, "") === simulatorDomain.toLowerCase()
      ? []
      : [address],
  );
}

type SmtpServer = ReturnType<typeof parseSmtpUrl>;

/**
 * Parses the URL of an SMTP server: `smtp://user:password@host:port`, or `smtps://` for TLS from the start, with the optional parameters
 * `tls=required`, `tls=optional` and `verify=false`.
 * @throws UserError without user and password
 */
export function parseSmtpUrl(text: string) {
  const url = URL.parse(text);
  if (
    url === null ||
    !/^smtps?:$/.test(url.protocol) ||
    url.hostname === "" ||
    /^\/?./.test(url.pathname.slice(1)) ||
    url.port === "0"
  ) {
    const hint = "Write it as smtp://host:port or smtps://user:password@host:port.";
    throw usageError(`the URL of the SMTP server is invalid (got ${JSON.stringify(shown(text))})`, hint);
  }
  for (const [name, value] of url.searchParams) {
    if (/^(tls=(required|optional)|verify=(true|false))$/.test(`${name}=${value}`)) continue;
    const hint = "Supported are ?tls=required, ?tls=optional and ?verify=false.";
    throw usageError("the URL of the SMTP server has an unknown parameter", hint);
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const secure = url.protocol === "smtps:";
  const port = Number(url.port || (secure ? 465 : 25));
  const auth = url.username === "" ? undefined : { user: decode(url.username), pass: decode(url.password) };
  // A password is sent unencrypted to this machine only.
  const tlsDefault = auth === undefined || isLoopback(host) ? "optional" : "required";
  return {
    host,
    port,
    /** TLS from the start, instead of STARTTLS. */
    secure,
    /** Whether mail is sent on encrypted connections only. */
    requireTls: !secure && (url.searchParams.get("tls") ?? tlsDefault) === "required",
    /** Whether the certificate of the server must be valid. */
    verify: url.searchParams.get("verify") !== "false",
    /** A function, so that nothing that is shown has the password. */
    credentials: () => auth,
    /** Removes the password, in all forms in which SMTP transmits it, from a text that is shown. */
    redact(text: string): string {
      if (auth === undefined) return text;
      const { user, pass } = auth;
      const forms = [pass, encodeURIComponent(pass), base64(`\0${user}\0${pass}`), base64(pass)];
      return forms.filter((form) => form !== "").reduce((clean, form) => clean.replaceAll(form, "***"), text);
    },
    toString: () => `${url.protocol}//${url.hostname}:${port}`,
  };
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
