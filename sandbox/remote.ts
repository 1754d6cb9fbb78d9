import pLimit from "p-limit";
import { UserError } from "../lib/user-error.ts";
import type { Fetch } from "./http/fetch.ts";
import type { Seed } from "./seed/seed.ts";

/** The options of a workspace of a running sandbox. */
export interface RemoteOptions {
  /** The URL of the running sandbox. */
  at: string;
  /** How long the workspace exists unless it is closed before, in milliseconds. Default: a day. */
  lifetime?: number;
  /** Default: the accounts of the running sandbox. */
  seed?: Seed;
  /** Default: the clock of the running sandbox. */
  clock?: { frozen?: boolean; startAt?: number };
  requestsPerMinute?: number;
}

/** A message as the control API returns it. */
export interface RemoteMessage {
  id: string;
  account: string;
  status: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  html: string | null;
  text: string | null;
  tags: Record<string, string>;
  [property: string]: unknown;
}

/** A workspace of a running sandbox, to use like a sandbox of one's own. */
export interface RemoteSandbox {
  /** The `base_url` of the service. */
  url: string;
  /** Like the global `fetch`. Relative URLs are resolved against `url`. */
  fetch: Fetch;
  clock: {
    now(): Promise<number>;
    /** Resolves when everything due by then has happened. */
    advance(milliseconds: number): Promise<void>;
  };
  outbox: {
    /** Messages of every status, the newest first. */
    messages(query?: { accountId?: string; limit?: number }): Promise<RemoteMessage[]>;
    /** The message as MIME. */
    eml(message: { id: string }): Promise<Uint8Array>;
  };
  /** The keys by their labels. */
  keys: Readonly<Record<string, string>>;
  /** Returns to the state after the start. */
  reset(): Promise<void>;
  /** Deletes the workspace. */
  close(): Promise<void>;
}

/** The most messages of a page of the control API. */
const pageSize = 500;

const requestsAtOnce = 8;

/** Creates a workspace. @throws UserError if the sandbox cannot be reached or rejects it */
export async function openRemote({ at, ...options }: RemoteOptions): Promise<RemoteSandbox> {
  const base = at.replace(/\/+$/, "");
  const workspaces = `${base}/sandbox/workspaces`;
  const { lifetime, seed, clock = {}, requestsPerMinute } = options;
  const { id, url, keys } = (await call("POST", workspaces, {
    ...{ lifetime, seed, frozen: clock.frozen, requests_per_minute: requestsPerMinute },
    ...(clock.startAt !== undefined && { start_at: new Date(clock.startAt).toISOString() }),
  })) as { id: string; url: string; keys: { label: string; key: string }[] };
  const get = (path: string) => call("GET", url + path);
  const messages = async (query: { accountId?: string; limit?: number } = {}): Promise<RemoteMessage[]> => {
    const ids = await messageIds(get, query);
    const limit = pLimit(requestsAtOnce);
    return Promise.all(
      ids.map((one) => limit(async () => (await get(`/sandbox/outbox/${one}`)) as RemoteMessage)),
    );
  };
  return {
    url,
    fetch: (input, init) =>
      fetch(typeof input === "string" && input.startsWith("/") ? url + input : input, init),
    clock: {
      now: async () => Date.parse(((await get("/sandbox/clock")) as { now: string }).now),
      advance: async (milliseconds) =>
        void (await call("POST", `${url}/sandbox/clock`, { advance: milliseconds })),
    },
    outbox: {
      messages,
      eml: async ({ id: one }) => (await send("GET", `${url}/sandbox/outbox/${one}.eml`)).bytes(),
    },
    keys: Object.fromEntries(keys.map(({ label, key }) => [label, key])),
    reset: async () => void (await call("POST", `${url}/sandbox/reset`)),
    close: async () => void (await call("DELETE", `${workspaces}/${id}`)),
  };
}

async function messageIds(
  get: (path: string) => Promise<unknown>,
  { accountId, limit = Number.POSITIVE_INFINITY }: { accountId?: string; limit?: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let more = true; more && ids.length < limit; ) {
    const query = new URLSearchParams({ limit: String(Math.min(pageSize, limit - ids.length)) });
    if (accountId !== undefined) query.set("account", accountId);
    const before = ids.at(-1);
    if (before !== undefined) query.set("before", before);
    const page = (await get(`/sandbox/outbox?${query}`)) as { messages: { id: string }[]; has_more: boolean };
    ids.push(...page.messages.map(({ id }) => id));
    more = page.has_more;
  }
  return ids;
}

async function call(method: string, url: string, body?: object): Promise<unknown> {
  return (await send(method, url, body)).json();
}

/** Sends a request to the control API. @throws UserError unless it succeeds */
async function send(method: string, url: string, body?: object): Promise<Response> {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(url, init).catch((cause) => {
    const hint = "Start a sandbox with `email-api-contract sandbox`.";
    throw new UserError(`no sandbox responds at ${url}`, { hint, exitCode: 2, cause });
  });
  if (response.ok) return response;
  const text = (await response.text()).slice(0, 500).trim();
  throw new UserError(`${method} ${url} failed with ${response.status}: ${text}`, { exitCode: 2 });
}
