import { settings } from "./settings.ts";

/** A request to the server under test. */
export interface Call {
  method: string;
  /** The path, with everything in it encoded. */
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON; no body where undefined. */
  body?: unknown;
  /** Whether the key goes along, which it does unless told otherwise. */
  withKey?: boolean;
}

/** A request and what came back. */
export interface Exchange {
  method: string;
  path: string;
  sent: { headers: Record<string, string>; body: unknown };
  status: number;
  /** By their names in small letters. */
  headers: Record<string, string>;
  text: string;
  /** The body read as JSON; undefined where it is none. */
  json: unknown;
}

/** The server gave no whole answer: nothing can be said about its promises. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

const deadlineMilliseconds = 10_000;

/**
 * Makes a request and reads the whole answer.
 * @throws Unreachable when the connection fails or the answer takes longer than 10 s
 */
export async function call({ method, path, headers = {}, body, withKey = true }: Call): Promise<Exchange> {
  const sent = {
    accept: "application/json",
    ...(withKey ? { authorization: `Bearer ${settings.key}` } : {}),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  try {
    const answer = await fetch(settings.baseUrl + path, {
      method,
      headers: sent,
      redirect: "manual",
      signal: AbortSignal.timeout(deadlineMilliseconds),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const received = Object.fromEntries(answer.headers);
    return {
      method,
      path,
      sent: { headers: sent, body },
      status: answer.status,
      headers: received,
      text,
      json: json(text),
    };
  } catch (error) {
    throw new Unreachable(`No answer to ${method} ${path}: ${reasonOf(error)}`);
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What went wrong below `fetch`, which itself only says that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `it took longer than ${deadlineMilliseconds / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? ` (${String(cause.code)})` : "";
  return `${cause.message || error.message}${code}`;
}
