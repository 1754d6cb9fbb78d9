import { connect } from "node:net";
import { expect } from "vitest";
import { checkResponse } from "../responses.ts";
import { keys } from "../rig.ts";

/** What came back on a connection; null when it ended without a response. */
interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** Writes bytes on a connection of its own, and reads what comes back until the other side ends. */
export async function exchange(url: string, bytes: string | Uint8Array, more = true): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const read: Buffer[] = [];
  socket.on("data", (chunk) => read.push(chunk));
  // Cut off while writing is one of the ways in which a connection may end.
  socket.on("error", () => {});
  socket.write(bytes);
  if (!more) socket.end();
  // `once` of node:events would take the error of a cut for its own.
  await new Promise((resolve) => socket.on("close", resolve));
  return Buffer.concat(read).toString("latin1");
}

/** Reads the first response in what came back. */
export function parse(read: string): RawResponse | null {
  if (read === "") return null;
  const end = read.indexOf("\r\n\r\n");
  const [first = "", ...lines] = read.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const length = Number(headers["content-length"] ?? 0);
  const text = Buffer.from(read.slice(end + 4, end + 4 + length), "latin1").toString();
  return { status: Number(first.split(" ")[1]), headers, text };
}

/** Fails the test when what came back is neither a response of the contract nor a closed connection. */
export function checkRaw(method: string, path: string, read: string): RawResponse | null {
  const response = parse(read);
  if (response === null) return null;
  if (method === "HEAD") return response;
  checkResponse({ method, path, ...response });
  return response;
}

export const close = "Connection: close\r\n";
export const bearer = `Authorization: Bearer ${keys.all}\r\n`;

/** The bytes of a request without a body, after which the connection closes. */
export const head = (line: string, more = "") =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${bearer}${close}${more}\r\n`;

/** The response when no request could be parsed. */
export const expectUnreadable = (read: string) => {
  const response = parse(read);
  expect(response?.status).toBe(422);
  const { error } = JSON.parse(response?.text ?? "");
  expect([error.type, Object.keys(error.fields)]).toEqual(["invalid_request", ["request"]]);
  expect(error.request_id).toBe(response?.headers["x-service-request-id"]);
};
