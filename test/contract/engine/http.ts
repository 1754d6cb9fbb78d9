import type { Exchange, RawRequest } from "../exchange.ts";

/** The server gave no whole answer: nothing can be said about its promises. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Like the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Transport {
  baseUrl: string;
  fetch: Fetch;
  /** How long an answer may take, in seconds. */
  responseDeadline: number;
}

/** No answer of this API is anywhere near as large, in bytes: more is not kept. */
const largestAnswer = 8 * 1024 * 1024;

/**
 * Makes a request and reads the whole answer.
 *
 * @param authorization the value of the header of that name, or undefined for none
 * @throws Unreachable when the connection fails or the answer takes too long or has no end
 */
export async function sendRequest(
  { baseUrl, fetch, responseDeadline: answerDeadline }: Transport,
  call: RawRequest,
  authorization: string | undefined,
): Promise<Exchange> {
  const { method, path, headers = {}, body } = call;
  const text = call.rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = {
    accept: "application/json",
    ...(authorization === undefined ? {} : { authorization }),
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const startedAt = Date.now();
  const began = performance.now();
  try {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: sent,
      redirect: "manual",
      signal: AbortSignal.timeout(answerDeadline * 1000),
      ...(text === undefined ? {} : { body: text }),
    });
    const received = await whole(answer);
    return {
      request: call,
      sent: { headers: sent, text },
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: received,
      json: json(received),
      startedAt,
      milliseconds: performance.now() - began,
    };
  } catch (error) {
    throw new Unreachable(`No answer to ${method} ${path}: ${reasonOf(error, answerDeadline)}`);
  }
}

async function whole(answer: Response): Promise<string> {
  if (answer.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of answer.body) {
    size += chunk.byteLength;
    if (size > largestAnswer) throw new Error(`it is longer than ${largestAnswer} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What went wrong below `fetch`, which itself only says that it failed. */
function reasonOf(error: unknown, seconds: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `it took longer than ${seconds} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? ` (${String(cause.code)})` : "";
  return `${cause.message || error.message}${code}`;
}
