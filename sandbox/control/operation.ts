import { setTimeout as wait } from "node:timers/promises";
import type { ApiRequest, HttpResponse, Services } from "../api/context.ts";
import type { Account, Message } from "../domain/records.ts";
import { type Store, StoreUnavailableError } from "../domain/store.ts";
import type { Seed } from "../seed/seed.ts";

/** What the control API and the pages work on. A reset replaces the directory. */
export interface GatewayServices
  extends Pick<Services, "directory" | "store" | "clock" | "failures" | "recent"> {
  seed: Seed;
  /** Restores the state of the seed. */
  reset(): Promise<void>;
  /** Whether the sandbox listens beyond loopback. */
  exposed: boolean;
  /** Whether other machines may use the control API and the pages. */
  control: boolean;
  /** The URL of the reference site. */
  docs?: string;
}

/** The JSON Schema of an input field. Its description completes the sentence "The field is ...". */
export interface Field {
  type: "string" | "integer" | "number" | "boolean" | "object" | ["string", "integer"];
  description: string;
  [keyword: string]: unknown;
}

/** The input of an operation: the fields of the query (GET) or the body, and the path parameter `id`. */
export type Input = Record<string, unknown>;

/** An operation of the control API. `GET /sandbox/`, the page /control and the guide list what is declared here. */
export interface Operation {
  method: "GET" | "POST" | "DELETE";
  path: string;
  summary: string;
  fields?: Record<string, Field>;
  required?: string[];
  /** A body that works with the demo seed. */
  example?: Input;
  /** @throws ControlError */
  run(services: GatewayServices, input: Input, request: ApiRequest): HttpResponse | Promise<HttpResponse>;
}

export const accountField = (defaultAccount: string): Field => ({
  type: "string",
  description: `an account id; default: ${defaultAccount}`,
});

/** The account with that id, or the first of the seed without one. @throws ControlError */
export function findAccount({ directory }: Pick<GatewayServices, "directory">, id?: string): Account {
  const accounts = directory.accounts();
  const account = id === undefined ? accounts[0] : accounts.find((one) => one.id === id);
  if (account !== undefined) return account;
  const names = accounts.map((one) => one.id).join(", ");
  throw new ControlError(`There is no account ${JSON.stringify(id)}.`, `The accounts are: ${names}.`, 404);
}

/** The message with that id, of any account. @throws ControlError */
export async function findMessage(
  { directory, store }: Pick<GatewayServices, "directory" | "store">,
  id: string,
): Promise<Message> {
  for (const account of directory.accounts()) {
    const message = await store.message(account.id, id);
    if (message !== undefined) return message;
  }
  throw ControlError.unknownId("message", id, "List the messages with GET /sandbox/outbox.");
}

/** A request to the control API or a page that fails: what is wrong, and what to do about it. */
export class ControlError extends Error {
  readonly status: number;
  readonly hint: string;

  constructor(message: string, hint: string, status = 422) {
    super(message);
    this.name = "ControlError";
    this.status = status;
    this.hint = hint;
  }

  static unknownId(kind: string, id: string, hint: string): ControlError {
    return new ControlError(`There is no ${kind} ${JSON.stringify(id.slice(0, 100))}.`, hint, 404);
  }
}

/** On every response outside the API. */
export const commonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Of a 503 that ends within moments. */
export const retrySoon = { "retry-after": "1" };

/** An indented JSON response, readable in a terminal. */
export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { ...commonHeaders, "content-type": "application/json", ...headers },
  body: `${JSON.stringify(value, null, 2)}\n`,
});

export const errorJson = (
  { status, message, hint }: Pick<ControlError, "status" | "message" | "hint">,
  headers: Record<string, string> = {},
): HttpResponse => json({ error: { message, hint } }, status, headers);

/** A 405 with the methods that the path accepts. */
export const methodNotAllowed = (method: string, path: string, methods: string[]): HttpResponse =>
  errorJson(
    {
      status: 405,
      message: `${path} does not accept ${method.slice(0, 100)}.`,
      hint: `Use ${methods.join(" or ")}.`,
    },
    { allow: methods.join(", ") },
  );

/** A file that the browser saves and never shows. */
export const download = (bytes: Uint8Array, type: string, name: string): HttpResponse => ({
  status: 200,
  headers: {
    ...commonHeaders,
    "content-type": type,
    "content-disposition": disposition(name),
    "content-security-policy": "sandbox; default-src 'none'",
  },
  body: bytes,
});

/** The file name in ASCII for old clients, and in full for all others (RFC 6266). */
function disposition(name: string): string {
  // Truncated first: that can split a surrogate pair.
  const clean = name
    .slice(0, 200)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, "_");
  const ascii = clean.replaceAll(/[^\w .()+-]/g, "_");
  const encoded = encodeURIComponent(clean).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** How long the store may take to respond, in milliseconds. Its own limits are longer, for large transactions. */
const longestCheck = 1_500;

/** Whether the sandbox responds, and its store can be written: on a full disk, reading still works. */
export async function health({ store }: Pick<GatewayServices, "store">): Promise<HttpResponse> {
  try {
    await Promise.race([writeTo(store), tooLate()]);
    return json({ status: "ok" });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    return json({ status: "failing", problem: error.message }, 503, retrySoon);
  }
}

/** Writing the value that is there would need no space. */
const writeTo = (store: Store): Promise<void> =>
  store.changeSetting("health", (value) => ({ value: value === "0" ? "1" : "0", result: undefined }));

async function tooLate(): Promise<never> {
  await wait(longestCheck, undefined, { ref: false });
  throw new StoreUnavailableError(`no response within ${longestCheck / 1000} seconds`);
}
