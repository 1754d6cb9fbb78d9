import { SMTPServer, type SMTPServerDataStream } from "smtp-server";
import { connectionProblem } from "../../lib/connection.ts";
import { jsonOf } from "../../lib/objects.ts";
import { Unreachable } from "../engine/http.ts";
import { largestMail, type Mailbox } from "../engine/run.ts";
import { listen } from "./attachment-server.ts";

const recipientFields = ["To", "Cc", "Bcc"] as const;

/** The parts of a list of messages in the API of Mailpit, the newest first. */
interface MessageList {
  total: number;
  messages: ({ ID: string; Size?: number } & Record<
    (typeof recipientFields)[number],
    { Address: string }[] | null
  >)[];
}

/** In milliseconds. */
const deadline = 30_000;
/** Messages to one recipient. */
const most = 10;

/** A mailbox with the HTTP API of Mailpit, which the server under test sends its mail to. */
export function openMailpit(url: string): Mailbox {
  const get = (path: string): Promise<Response> => getFrom(url.replace(/\/+$/, ""), path);
  /** @throws Unreachable if something else than Mailpit responds */
  const list = async (path: string): Promise<MessageList> => {
    const found = jsonOf(await (await get(path)).text()) as MessageList | null | undefined;
    if (Array.isArray(found?.messages)) return found;
    throw new Unreachable("The mailbox returned no list of messages: is mailbox.mailpit the URL of Mailpit?");
  };
  return {
    // It adds the recipients of the envelope, by which a search finds the messages to them.
    addsBcc: true,
    messagesTo: async (recipient) => {
      const query = new URLSearchParams({ query: `addressed:"${recipient}"`, limit: String(most) });
      const { messages } = await list(`/api/v1/search?${query}`);
      const own = messages.filter((message) =>
        recipientFields.some((field) =>
          message[field]?.some(({ Address }) => Address.toLowerCase() === recipient.toLowerCase()),
        ),
      );
      const tooLarge = own.find(({ Size = 0 }) => Size > largestMail);
      if (tooLarge)
        throw new Unreachable(`A mail has ${tooLarge.Size} bytes; at most ${largestMail} are read.`);
      const raw = own.reverse().map(({ ID }) => get(`/api/v1/message/${encodeURIComponent(ID)}/raw`));
      return Promise.all(raw.map(async (response) => new Uint8Array(await (await response).arrayBuffer())));
    },
    isEmpty: async () => (await list("/api/v1/messages?limit=1")).total === 0,
    close: async () => {},
  };
}

async function getFrom(base: string, path: string): Promise<Response> {
  const what = `GET ${path.split("?")[0]} of the mailbox`;
  const response = await fetch(base + path, { signal: AbortSignal.timeout(deadline) }).catch(
    (error: unknown) => {
      const { reason, hint } = connectionProblem(error, deadline / 1000);
      throw new Unreachable(`No response to ${what}: ${reason}`, { reason, hint });
    },
  );
  if (!response.ok) throw new Unreachable(`${what} returned ${response.status}.`);
  return response;
}

/** What a mailbox keeps at most; the oldest messages go first. Far above the messages that checks wait for. */
const usualBounds = { messages: 5_000, bytes: 256 * 1024 * 1024 };

/**
 * Opens a port that the server under test sends its mail to. A port of 0 takes any free one.
 * @throws UserError with exit code 2 if the port cannot be opened
 */
export async function openSmtpMailbox(
  { port, host = "127.0.0.1" }: { port: number; host?: string | undefined },
  bounds = usualBounds,
): Promise<Mailbox & { port: number }> {
  const messages: { recipients: string[]; mime: Uint8Array }[] = [];
  let bytes = 0;
  let isEmpty = true;
  const keep = (recipients: string[], mime: Uint8Array): void => {
    isEmpty = false;
    messages.push({ recipients, mime });
    bytes += mime.length;
    while (messages.length > bounds.messages || bytes > bounds.bytes)
      bytes -= messages.shift()?.mime.length ?? 0;
  };
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
        keep(recipients, mime);
        done();
      }, done);
    },
  });
  const hint = "Choose another port in mailbox.smtp, and let the server send its mail there.";
  return {
    // A server sends a message again whose connection is lost.
    port: await listen(server, "the mailbox", { port, host, hint }),
    messagesTo: async (recipient) =>
      messages
        .filter(({ recipients }) => recipients.includes(recipient.toLowerCase()))
        .map(({ mime }) => mime),
    isEmpty: async () => isEmpty,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
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
