import * as http from "node:http";
import * as https from "node:https";
import type { ReceivedResponse, SentRequest } from "../client-mutant.ts";

/** What `fetch` does not offer. */
interface SocketOptions {
  /** Default: true. */
  keepAlive?: boolean;
  /** Default: true. */
  rejectUnauthorized?: boolean;
  /** Returns the part of a body that was received before the connection was closed; default: throws. */
  keepsPart?: boolean;
  /** Sends the body in chunks, without its length. */
  chunked?: boolean;
}

/** Sends a request with Node's own HTTP client: only the given headers, and the URL as it is. */
export function sendBySocket(
  { method, url, headers, body, signal }: SentRequest,
  { keepAlive = true, rejectUnauthorized = true, keepsPart = false, chunked = false }: SocketOptions = {},
): Promise<ReceivedResponse> {
  const { request, Agent, globalAgent } = url.startsWith("https:") ? https : http;
  const agent = keepAlive ? globalAgent : new Agent({ keepAlive });
  const length = body === undefined || chunked ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers, ...length }, agent, signal, rejectUnauthorized };
    const sent = request(url, options, async (incoming) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
      } catch (error) {
        if (!keepsPart) return reject(error);
      }
      resolve({
        status: incoming.statusCode ?? 0,
        headers: headersOf(incoming),
        body: Buffer.concat(chunks),
      });
    });
    sent.on("error", reject).end(body);
  });
}

const headersOf = ({ headersDistinct }: http.IncomingMessage): Headers =>
  new Headers(
    Object.entries(headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );
