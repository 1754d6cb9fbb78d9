import { Readable } from "node:stream";
import SMTPConnection, { type SMTPConnectionSendInfo } from "nodemailer/lib/smtp-connection";
import type { Envelope } from "./envelope.ts";
import { type Attempt, failedAttempt, rejectedRecipient, type SmtpError } from "./smtp-attempt.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** One handing over of a message. */
export interface Delivery {
  envelope: Envelope;
  bytes: Uint8Array;
  /** Waited for when the server is ready for the message, before the first byte of it leaves; what it throws ends the attempt. */
  beforeBytes(): Promise<void>;
}

/** How long things may take, in milliseconds. */
export interface SmtpTimes {
  /** To connect, to be greeted, and for each answer. */
  answer: number;
  /** For all of it. */
  whole: number;
}

/** How much of a message is written at once: what is not yet taken off our hands cannot be at the server. */
const chunk = 64 * 1024;

/** Hands a message over to the server, once. Never rejects, but for what `beforeBytes` throws. */
export async function handOver(
  server: SmtpServer,
  delivery: Delivery,
  times: SmtpTimes,
  signal: AbortSignal,
): Promise<Attempt> {
  const connection = openConnection(server, times);
  const progress: Progress = { allTaken: false, stopped: undefined };
  const giveUp = AbortSignal.any([signal, AbortSignal.timeout(times.whole)]);
  try {
    const info = await orBroken(connection, giveUp, async () => {
      await step((done) => connection.connect(done));
      if (server.credentials !== undefined && connection.allowsAuth)
        await step((done) => connection.login({ ...server.credentials }, done));
      return send(connection, delivery, progress);
    });
    return {
      kind: "accepted",
      refused: (info.rejectedErrors ?? []).map((error) => rejectedRecipient(server, error)),
    };
  } catch (error) {
    if (progress.stopped !== undefined) throw progress.stopped.error;
    return failedAttempt(server, error as SmtpError, progress.allTaken);
  } finally {
    connection.close();
  }
}

interface Progress {
  /** Whether the last byte of the message was given to the connection. */
  allTaken: boolean;
  /** What `beforeBytes` threw. */
  stopped: { error: unknown } | undefined;
}

function openConnection(server: SmtpServer, times: SmtpTimes): SMTPConnection {
  return new SMTPConnection({
    ...{ host: server.host, port: server.port, secure: server.secure, requireTLS: server.requireTls },
    ...{
      connectionTimeout: times.answer,
      greetingTimeout: times.answer,
      socketTimeout: times.answer,
      dnsTimeout: times.answer,
    },
    ...{ tls: { rejectUnauthorized: server.verify }, socketCloseTimeout: 100, logger: false },
  });
}

/** Runs the steps of an attempt; ends it when the connection breaks between two of them, or when it is called off. */
async function orBroken<Result>(
  connection: SMTPConnection,
  signal: AbortSignal,
  steps: () => Promise<Result>,
): Promise<Result> {
  const broken = Promise.withResolvers<never>();
  connection.on("error", broken.reject);
  connection.once("end", () => broken.reject(new Error("The connection ended.")));
  const stop = () => broken.reject(new Error("It took too long."));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([steps(), broken.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function step(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

function send(
  connection: SMTPConnection,
  delivery: Delivery,
  progress: Progress,
): Promise<SMTPConnectionSendInfo> {
  const { envelope, bytes } = delivery;
  // Read from only once the server has answered DATA: nothing is known to it before.
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
  for (let start = 0; start < bytes.length; start += chunk) {
    progress.allTaken = start + chunk >= bytes.length;
    yield bytes.subarray(start, start + chunk);
  }
}
