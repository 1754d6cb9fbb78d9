import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import clientPackage from "../../../client/package.json" with { type: "json" };
import {
  ApiError,
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  type IdempotentRequestOptions,
  TimeoutError,
} from "../../../client/src/index.ts";
import {
  type Call,
  type CallError,
  type Capabilities,
  type Driver,
  protocolVersion,
  type Reply,
  readCapabilities,
  readReply,
  type StartDriver,
} from "../../../contract/client-suite/driver/protocol.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type {
  ClientContext,
  CreateDifference,
  Difference,
  ReceivedResponse,
  Send,
} from "../client-mutant.ts";

/** Starts drivers of the project's own client in this process: it differs as given, else it is correct. */
export const inProcessDriver =
  (create: CreateDifference = () => ({})): StartDriver =>
  async (start) =>
    new InProcessDriver(start, create);

class InProcessDriver implements Driver {
  readonly capabilities: Capabilities;
  readonly #reply: (call: Call) => Promise<Reply>;
  readonly #closed = new AbortController();
  #call: Call = { operation: "getMe" };
  #calls = 0;
  #output = "";

  constructor(start: Pick<ClientOptions, "key"> & { baseUrl: string }, create: CreateDifference) {
    const context: ClientContext = {
      ...start,
      call: () => this.#call,
      log: (text) => this.#keep(text),
      signal: this.#closed.signal,
    };
    const difference = create(context);
    const client = createClient({ ...start, fetch: fetchWith(difference, context), ...difference.options });
    this.capabilities = this.#ready({ printed: inspect(client), ...difference.capabilities });
    const next = async ({ operation, idempotencyKey, timeout, ...rest }: Call): Promise<Reply> => {
      const options = { idempotencyKey, timeout, signal: this.#closed.signal };
      try {
        return { result: await callOperation[operation](client, { operation, ...rest }, options) };
      } catch (error) {
        return { error: errorOf(error) };
      }
    };
    this.#reply = (call) => difference.call?.(call, next) ?? next(call);
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted;
  }

  async call(call: Call, replyTimeout: number): Promise<Reply | undefined> {
    this.#calls += 1;
    // As a driver that reads and writes lines.
    this.#call = JSON.parse(JSON.stringify(call)) as Call;
    const inTime = new AbortController();
    const late = pause(replyTimeout, undefined, inTime).catch(() => undefined);
    const reply = await Promise.race([this.#reply(this.#call), late]).finally(() => inTime.abort());
    if (reply === undefined) {
      await this.close();
      return undefined;
    }
    const line = JSON.stringify({ call: this.#calls, ...reply });
    this.#keep(line);
    return readReply(line, this.#calls);
  }

  takeOutput(): string {
    const output = this.#output;
    this.#output = "";
    return output;
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error("the driver is closed"));
  }

  #ready(declared: Partial<Capabilities>): Capabilities {
    const line = JSON.stringify({
      protocol: protocolVersion,
      client: `${clientPackage.name} ${clientPackage.version}`,
      operations: Object.keys(operations) as OperationId[],
      retries: true,
      idempotencyKeys: "automatic",
      timeouts: true,
      ...declared,
    });
    this.#keep(line);
    return readCapabilities(line);
  }

  #keep(text: string): void {
    this.#output += `${text}\n`;
  }
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` with a difference between the client and the network. */
const fetchWith =
  ({ send }: Difference, { signal: closed }: ClientContext): Fetch =>
  async (url, init) => {
    const { method = "GET", headers, body, signal = closed } = init;
    const both = AbortSignal.any([signal ?? closed, closed]);
    if (send === undefined) return fetch(url, { ...init, signal: both });
    const sent = Object.fromEntries(new Headers(headers));
    const text = typeof body === "string" ? body : undefined;
    return toResponse(await send({ method, url, headers: sent, body: text, signal: both }, sendByFetch));
  };

/** Sends a request with the platform's `fetch`. */
const sendByFetch: Send = async ({ method, url, headers, body, signal }) => {
  const init = { method, headers, signal, redirect: "manual" } as const;
  const response = await fetch(url, body === undefined ? init : { ...init, body: bytesOf(body) });
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  };
};

/** A text as bytes: `fetch` would add a media type to a text that has none. */
const bytesOf = (body: string | Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(body));

function toResponse({ status, headers, body }: ReceivedResponse): Response {
  const isBodyless = status === 204 || status === 304 || body.length === 0;
  // The body is already decoded, and its length may have changed.
  const kept = [...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name));
  return new Response(isBodyless ? null : new Uint8Array(body), { status, headers: kept });
}

type CallOperation = (client: Client, call: Call, options: IdempotentRequestOptions) => Promise<unknown>;

/** The body of a call as the type that the client asks for: the suite gives it. */
const bodyOf = <Body>({ body }: Call): Body => body as Body;
const idOf = ({ path }: Call): string => path?.id as string;
const emailOf = ({ path }: Call): string => path?.email as string;

/** How the client is called for each operation. */
const callOperation: Record<OperationId, CallOperation> = {
  sendEmail: ({ emails }, call, options) => emails.send(bodyOf(call), options),
  sendBatch: ({ emails }, call, options) =>
    emails.batch.send(bodyOf<{ emails: Parameters<typeof emails.batch.send>[0] }>(call).emails, options),
  getEmail: ({ emails }, call, options) => emails.get(idOf(call), options),
  rescheduleEmail: ({ emails }, call, options) => emails.reschedule(idOf(call), bodyOf(call), options),
  cancelEmail: ({ emails }, call, options) => emails.cancel(idOf(call), options),
  listNewsletterLists: ({ newsletter }, _, options) => newsletter.lists(options),
  listCustomFields: ({ newsletter }, _, options) => newsletter.fields(options),
  upsertContact: ({ newsletter }, call, options) => newsletter.contacts.upsert(bodyOf(call), options),
  getContact: ({ newsletter }, call, options) => newsletter.contacts.get(emailOf(call), options),
  unsubscribeContact: ({ newsletter }, call, options) =>
    newsletter.contacts.unsubscribe(emailOf(call), bodyOf(call), options),
  getMe: (client, _, options) => client.me(options),
};

/** An error of the client in the words of the driver protocol. */
function errorOf(error: unknown): CallError {
  // With all its properties, as a log shows it.
  const message = inspect(error, { depth: null });
  if (error instanceof TimeoutError) return { kind: "timeout", message };
  if (error instanceof ConnectionError) return { kind: "connection", message };
  if (!(error instanceof ApiError)) return { kind: "not sent", message };
  const { status, type, fields, requestId } = error;
  if (status < 300) return { kind: "unreadable", status, requestId, message };
  return { kind: "response", status, type, fields, requestId, message };
}
