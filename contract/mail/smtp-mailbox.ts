import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import { largestMail, type Mailbox } from "../engine/mailbox.ts";
import { cannotListen } from "./cannot-listen.ts";

export interface SmtpMailbox extends Mailbox {
  port: number;
}

/** What a mailbox keeps at most; the oldest messages go first. */
interface Bounds {
  messages: number;
  bytes: number;
}

const mebibyte = 1024 * 1024;
/** Far above the messages that checks wait for. */
const usualBounds: Bounds = { messages: 5_000, bytes: 256 * mebibyte };

/**
 * Opens a port that the server under test sends its mail to. A port of 0 takes any free one.
 * @throws UserError with exit code 2 if the port cannot be opened
 */
export async function openSmtpMailbox(
  { port, host = "127.0.0.1" }: { port: number; host?: string | undefined },
  bounds = usualBounds,
): Promise<SmtpMailbox> {
  const messages = new Messages(bounds);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: largestMail,
    closeTimeout: 1_000,
    onData: (stream, { envelope }, done) => {
      const recipients = envelope.rcptTo.map(({ address }) => address.toLowerCase());
      mimeOf(stream).then((mime) => {
        messages.add({ recipients, mime });
        done();
      }, done);
    },
  });
  const opened = Promise.withResolvers<void>();
  // Once the port is open, this ignores lost connections: the server sends the message again.
  server.on("error", opened.reject);
  const listener = server.listen(port, host, opened.resolve);
  await opened.promise.catch((cause: unknown) => {
    const hint = "Choose another port in mailbox.smtp, and let the server send its mail there.";
    throw cannotListen("the mailbox", { host, port, hint }, cause);
  });
  return {
    port: (listener.address() as AddressInfo).port,
    messagesTo: async (recipient) => messages.to(recipient.toLowerCase()),
    isEmpty: async () => messages.isEmpty,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Arrived {
  recipients: string[];
  mime: Uint8Array;
}

class Messages {
  isEmpty = true;
  readonly #bounds: Bounds;
  readonly #all: Arrived[] = [];
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  add(message: Arrived): void {
    this.isEmpty = false;
    this.#all.push(message);
    this.#bytes += message.mime.length;
    while (this.#all.length > this.#bounds.messages || this.#bytes > this.#bounds.bytes)
      this.#bytes -= this.#all.shift()?.mime.length ?? 0;
  }

  to = (recipient: string): Uint8Array[] =>
    this.#all.filter(({ recipients }) => recipients.includes(recipient)).map(({ mime }) => mime);
}

/** The message, which must be read to its end even if it is too large. */
async function mimeOf(stream: SMTPServerDataStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes <= largestMail) chunks.push(chunk);
  }
  if (bytes <= largestMail) return Buffer.concat(chunks);
  throw Object.assign(new Error("the message is too large"), { responseCode: 552 });
}
