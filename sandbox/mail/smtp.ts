import { Readable } from "node:stream";
import SMTPConnection, { type SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection";
import type { Envelope } from "./envelope.ts";
import { type Attempt, failedAttempt, rejectedRecipients, type SmtpError } from "./smtp-attempt.ts";
import type { SmtpServer } from "./smtp-url.ts";

export interface Delivery {
  envelope: Envelope;
  bytes: Uint8Array;
  /** Awaited when the server is ready for the message, before its first byte is sent. An error of it ends the attempt. */
  beforeBytes(): Promise<void>;
}

export interface SmtpTimes {
  /** For connecting, the greeting, and each reply. */
  reply: number;
  /** For the whole attempt. */
  whole: number;
}

/** The bytes written at once: what the connection has not taken yet cannot be at the server. */
const chunkSize = 64 * 1024;

/** Makes one attempt to send a message. Rejects only with errors of `beforeBytes`. */
export async function attemptDelivery(
  server: SmtpServer,
  delivery: Delivery,
  times: SmtpTimes,
  signal: AbortSignal,
): Promise<Attempt> {
  const connection = openConnection(server, times.reply);
  const progress: Progress = { allTaken: false, stopped: undefined };
  const steps = async (): Promise<SMTPConnectionSendInfo> => {
    await callback((done) => connection.connect(done));
    if (server.credentials !== undefined && connection.allowsAuth)
      await callback((done) => connection.login({ ...server.credentials }, done));
    return send(connection, delivery, progress);
  };
  const aborted = AbortSignal.any([signal, AbortSignal.timeout(times.whole)]);
  try {
    const { rejectedErrors } = await Promise.race([steps(), broken(connection, aborted)]);
    return { kind: "accepted", rejected: rejectedRecipients(server, rejectedErrors) };
  } catch (error) {
    if (progress.stopped !== undefined) throw progress.stopped.error;
    return failedAttempt(server, error as SmtpError, progress.allTaken);
  } finally {
    connection.close();
  }
}

interface Progress {
  /** Whether the connection has taken the last byte of the message. */
  allTaken: boolean;
  /** The error of `beforeBytes`. */
  stopped: { error: unknown } | undefined;
}

const openConnection = ({ host, port, secure, requireTls, verify }: SmtpServer, timeout: number) =>
  new SMTPConnection({
    ...{ host, port, secure, requireTLS: requireTls, tls: { rejectUnauthorized: verify } },
    ...{ connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout, dnsTimeout: timeout },
    ...{ socketCloseTimeout: 100, logger: false },
  });

/** Rejects when the connection is lost between two steps, or the attempt is aborted. */
const broken = (connection: SMTPConnection, signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    connection.on("error", reject);
    connection.once("end", () => reject(new Error("The connection was closed.")));
    const stop = () => reject(new Error("The attempt timed out."));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });

const callback = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));

function send(
  connection: SMTPConnection,
  delivery: Delivery,
  progress: Progress,
): Promise<SMTPConnectionSendInfo> {
  const { envelope, bytes } = delivery;
  // Read only after the reply to DATA: until then the server has nothing of the message.
  const message = Readable.from(chunks(delivery, progress));
  return new Promise((resolve, reject) => {
    connection.send({ ...envelope, size: bytes.length, use8BitMime: true }, message, (error, info) =>
      error ? reject(error) : resolve(info as SMTPConnectionSendInfo),
    );
  });
}

async function* chunks({ bytes, beforeBytes }: Delivery, progress: Progress): AsyncGenerator<Uint8Array> {
  try {
    await beforeBytes();
  } catch (error) {
    progress.stopped = { error };
    throw error;
  }
  for (let start = 0; start < bytes.length; start += chunkSize) {
    progress.allTaken = start + chunkSize >= bytes.length;
    yield bytes.subarray(start, start + chunkSize);
  }
}
