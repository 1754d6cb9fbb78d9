import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the proxy got it. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body read as JSON; undefined where there is none. */
  body: unknown;
}

/** An answer that a fault may change in place. */
export interface Given {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/**
 * One fault. It changes an answer of the mock, or the request before the mock sees it (`before`), or cuts the connection by
 * returning "cut".
 */
export interface ProxyFault {
  before?: (asked: Asked) => void;
  after?: (given: Given, asked: Asked) => unknown;
}

/** A server that answers as the one behind it does, but for one fault. */
export async function startFaulty(
  target: string,
  { before, after }: ProxyFault,
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const asked: Asked = {
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: { ...request.headers },
      body: text === "" ? undefined : JSON.parse(text),
    };
    before?.(asked);
    const given = await pass(target, asked);
    if (after?.(given, asked) === "cut") return void request.socket.destroy();
    response.writeHead(given.status, given.headers).end(given.text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

const ofConnection = ["host", "connection", "content-length", "transfer-encoding", "keep-alive", "date"];

async function pass(target: string, { method, path, headers, body }: Asked): Promise<Given> {
  const sent = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  const answer = await fetch(target + path, {
    method,
    headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const received = [...answer.headers].filter(([name]) => !ofConnection.includes(name));
  return { status: answer.status, headers: Object.fromEntries(received), text: await answer.text() };
}
