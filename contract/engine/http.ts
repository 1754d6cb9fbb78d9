import { isUtf8 } from "node:buffer";
import { subscribe } from "node:diagnostics_channel";
import type { OperationId } from "../../generated/operations.ts";
import { connectionProblem } from "../../lib/connection.ts";
import { jsonOf } from "../../lib/objects.ts";
import { type Exchange, type RawRequest, requestName } from "../exchange.ts";

/** What is known of a request without a complete response. */
interface Unanswered {
  /** Why there was none, in a few words: `10 s`; default: the message. */
  reason?: string;
  operation?: OperationId | undefined;
  isLate?: boolean;
  hint?: string | undefined;
}

/** There is no complete response, so the requirement can neither pass nor fail: an error of the run. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
  readonly known: Unanswered;

  constructor(message: string, known: Unanswered = {}) {
    super(message);
    this.known = known;
  }
}

/** Like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  baseUrl: string;
  fetch: Fetch;
  /** Seconds until the complete response. */
  responseDeadline: number;
}

/** Bytes; responses of this API are far smaller. */
const maxResponse = 8 * 1024 * 1024;

/**
 * Sends a request and reads the complete response.
 * @param authorization the value of the Authorization header, or undefined for none
 * @throws Unreachable if the connection fails, or the response takes too long or is too large
 */
export async function sendRequest(
  { baseUrl, fetch, responseDeadline }: Transport,
  request: RawRequest,
  authorization: string | undefined,
): Promise<Exchange> {
  const { method, path, headers = {}, body } = request;
  const text = request.rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = {
    accept: "application/json",
    ...(authorization === undefined ? {} : { authorization }),
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const startedAt = Date.now();
  const began = performance.now();
  const init: RequestInit = {
    method,
    headers: sent,
    redirect: "manual",
    signal: AbortSignal.timeout(responseDeadline * 1000),
    ...(text === undefined ? {} : { body: text }),
  };
  let response: Response | undefined;
  const chunks: Uint8Array[] = [];
  try {
    response = await fetch(baseUrl + path, init).catch((error: unknown) => {
      if (!mayRepeat(method, error)) throw error;
      return fetch(baseUrl + path, init);
    });
    const received = await readBody(response, chunks);
    return {
      request,
      sent: { headers: sent, text },
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: received,
      json: isUtf8(Buffer.concat(chunks)) ? jsonOf(received) : undefined,
      startedAt,
      milliseconds: performance.now() - began,
    };
  } catch (error) {
    const { reason: problem, hint } = connectionProblem(error, responseDeadline);
    const isLate = (error as Error).name === "TimeoutError";
    const reason = isLate ? `${responseDeadline} s` : problem;
    const message = isLate ? `${problem} (deadlines.response)` : problem;
    const { name, operation } = requestName(request);
    const part = response === undefined ? "" : `${partOf(response, Buffer.concat(chunks).byteLength)}; `;
    const known = { reason: part + reason, operation, isLate, hint: part ? incompleteHint : hint };
    throw new Unreachable(`No ${part && "complete "}response to ${name}: ${part}${message}`, known);
  }
}

/** The connection of a request of `fetch`, when the last response over it ended, and how long it was idle before a request or its error. */
const sockets = new WeakMap<object, object>();
const usedUntil = new WeakMap<object, number>();
const idleBefore = new WeakMap<object, number>();
type Event = Record<"request" | "socket" | "error", object>;
const on = (name: string, note: (event: Event) => void): void =>
  subscribe(`undici:${name}`, (event) => note(event as Event));
on("client:sendHeaders", ({ request, socket }) => {
  sockets.set(request, socket);
  idleBefore.set(request, performance.now() - (usedUntil.get(socket) ?? performance.now()));
});
on("request:trailers", ({ request }) => usedUntil.set(sockets.get(request) ?? request, performance.now()));
on("request:error", ({ request, error }) => idleBefore.set(error, idleBefore.get(request) ?? 0));

/** Milliseconds: no server closes a connection that has been idle for less without saying so. */
const shortestIdle = 500;

/**
 * Whether a server may have closed an idle connection while a request was on its way. One that changes nothing is then sent once more, as
 * browsers do (RFC 9110, 9.2.2). A connection that is lost otherwise is an error.
 */
const mayRepeat = (method: string, error: unknown): boolean =>
  /^(GET|HEAD|OPTIONS)$/.test(method) &&
  (idleBefore.get(Object((error as Error).cause)) ?? 0) >= shortestIdle &&
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(String(Object((error as Error).cause).code));

const incompleteHint = "Check that the response ends, and that its Content-Length is that of its body.";

/** How much of a response arrived: `status 200 and 57 of 67 bytes of the body`. */
function partOf({ status, headers }: Response, bytes: number): string {
  const length = headers.get("content-encoding") === null ? headers.get("content-length") : null;
  return `status ${status} and ${bytes}${length === null ? "" : ` of ${length}`} bytes of the body`;
}

/** @param chunks gets what arrives @throws Error if it is too large */
export async function readBody(response: Response, chunks: Uint8Array[] = []): Promise<string> {
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > maxResponse) throw new Error(`it is larger than ${maxResponse} bytes`);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
