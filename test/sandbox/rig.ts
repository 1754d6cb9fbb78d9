import { afterEach } from "vitest";
import { type Client, createClient } from "../../client/src/index.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../sandbox/index.ts";
import { checkResponse } from "./responses.ts";

/** The time of the clocks in tests: far from the end of a month and of a minute. */
export const start = Date.parse("2026-03-10T09:00:00.000Z");

export const day = 86_400_000;
export const minute = 60_000;

/** The keys of the demo accounts. */
export const keys = {
  all: "sandbox_all_2f7c",
  second: "sandbox_second_8d1e",
  send: "sandbox_send_b04a",
  read: "sandbox_read_6c3d",
  manage: "sandbox_manage_91ef",
  restricted: "sandbox_restricted_a57b",
  revoked: "sandbox_revoked_40c8",
  replaced: "sandbox_replaced_d26f",
  other: "sandbox_other_77a2",
  noEmail: "sandbox_no_email_5b90",
  noNewsletter: "sandbox_no_newsletter_c3e4",
  noDomain: "sandbox_no_domain_18bd",
  ceiling: "sandbox_ceiling_e9f1",
  burst: "sandbox_burst_3a6c",
  burstSecond: "sandbox_burst_second_f05d",
  smallQuota: "sandbox_small_quota_84b7",
} as const;

/** The options of a request. */
export interface RequestOptions {
  /** A key of the demo accounts, or null for none; default: the key with all abilities. */
  key?: string | null;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

/** A response, already validated against the contract. */
export interface ReceivedResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses whose schema has just been checked
  body: any;
  type: string | undefined;
  fields: string[];
}

/** A sandbox with a frozen clock, a client, and requests whose responses are validated against the contract. */
export interface Rig {
  sandbox: Sandbox;
  /** Has all abilities, and makes one attempt per request. */
  client: Client;
  call(method: string, path: string, options?: RequestOptions): Promise<ReceivedResponse>;
  post(path: string, body: unknown, options?: RequestOptions): Promise<ReceivedResponse>;
  get(path: string, options?: RequestOptions): Promise<ReceivedResponse>;
}

const running: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

/** Starts a sandbox for one test, which closes it. Requests go through a socket. */
export async function startRig(options: SandboxOptions = {}): Promise<Rig> {
  const sandbox = await startSandbox({ clock: { frozen: true, startAt: start }, ...options });
  running.push(sandbox);
  const call = caller((path, init) => fetch(sandbox.url + path, init));
  return { sandbox, client: clientOf(sandbox), call, ...short(call) };
}

/** A client with a key, without retries, that validates every response against the contract. */
export const clientOf = ({ url }: { url: string }, key: string = keys.all): Client =>
  createClient({
    key,
    baseUrl: url,
    attempts: 1,
    async fetch(address, init) {
      const response = await fetch(address, init);
      await seen(init.method ?? "GET", new URL(address).pathname, response.clone());
      return response;
    },
  });

type Call = Rig["call"];

const short = (call: Call) => ({
  post: (path: string, body: unknown, options: RequestOptions = {}) =>
    call("POST", path, { ...options, body }),
  get: (path: string, options?: RequestOptions) => call("GET", path, options),
});

/** Sends requests and validates the responses against the contract. */
export function caller(send: (path: string, init: RequestInit) => Promise<Response>): Call {
  return async (method, path, { key = keys.all, body, raw, headers = {} } = {}) => {
    const sent: Record<string, string> = {};
    if (key !== null) sent.authorization = `Bearer ${key}`;
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    if (content !== undefined) sent["content-type"] = "application/json";
    const init: RequestInit = { method, headers: { ...sent, ...headers } };
    if (content !== undefined) init.body = content;
    const response = await send(path, init);
    return seen(method, path, response);
  };
}

async function seen(method: string, path: string, response: Response): Promise<ReceivedResponse> {
  const text = await response.text();
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  checkResponse({ method, path: path.replace(/\?.*/s, ""), status, headers, text });
  const body = text === "" ? undefined : JSON.parse(text);
  const fields = Object.keys(body?.error?.fields ?? {});
  return { status, headers, text, body, type: body?.error?.type, fields };
}

/** An acceptable message with changes. */
export const mail = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  from: "orders@bakery.example",
  to: ["ada@customers.example"],
  subject: "Your order",
  text: "It is ready.",
  ...change,
});

/** The same without some of its fields. */
export const without = (message: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)));

/** A time as the service returns it. */
export const time = (at: number): string => new Date(at).toISOString();
