import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

/** A message that the server accepted. */
export interface Received {
  from: string;
  to: string[];
  source: string;
}

/** An SMTP server on loopback. */
export interface SmtpHost {
  /** Without credentials. */
  url: string;
  port: number;
  received: Received[];
  /** The number of connections. */
  connections(): number;
  close(): Promise<void>;
}

/** An error reply for `smtp-server`. */
export function no(code: number, reply: string): Error {
  return Object.assign(new Error(reply), { responseCode: code });
}

type Answer = Error | "drop" | undefined;

export interface Manners extends SMTPServerOptions {
  /** The reply to a recipient; undefined accepts it. */
  recipient?: (address: string, session: SMTPServerSession) => Answer;
  /** The reply to a whole message; undefined accepts it. */
  message?: (received: Received) => Answer | Promise<Answer>;
}

/** Starts a server with this behaviour. */
export async function startSmtpHost({ recipient, message, ...options }: Manners = {}): Promise<SmtpHost> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"], logger: false },
    ...options,
    onRcptTo({ address }, session, done) {
      const response = recipient?.(address, session);
      if (response === "drop") drop();
      else done(response);
    },
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      take(
        from,
        envelope.rcptTo.map(({ address }) => address),
        stream,
      ).then((response) => {
        if (response === "drop") drop();
        else done(response);
        // The client disconnected in the middle of the message.
      }, done);
    },
  });
  const take = async (from: string, to: string[], stream: Readable): Promise<Answer> => {
    const source = (await buffer(stream)).toString("latin1");
    const taken = { from, to, source };
    const response = await message?.(taken);
    if (response === undefined) received.push(taken);
    return response;
  };
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    ...{ url: `smtp://127.0.0.1:${port}`, port, received },
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        drop();
        server.close(() => resolve());
      }),
  };
}
