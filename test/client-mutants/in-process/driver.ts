import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import clientPackage from "../../../client/package.json" with { type: "json" };
import {
  ApiError,
  type ClientOptions,
  type Connection,
  ConnectionError,
  connect,
  createClient,
  type IdempotentRequestOptions,
  TimeoutError,
} from "../../../client/src/index.ts";
import * as functions from "../../../client/src/operations.ts";
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
import { type OperationId, type OperationRow, operations } from "../../../generated/operations.ts";
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
  /** The call in which something happens: there may be several at the same time. */
  readonly #current = new AsyncLocalStorage<Call>();
  #calls = 0;
  #output = "";

  constructor(start: Pick<ClientOptions, "key"> & { baseUrl: string }, create: CreateDifference) {
    const context: ClientContext = {
      ...start,
      call: () => this.#current.getStore() ?? { operation: "getMe" },
      log: (text) => this.#keep(text),
      signal: this.#closed.signal,
    };
    const difference = create(context);
    const clientOptions = { ...start, fetch: fetchWith(difference, context), ...difference.options };
    const api = connect(clientOptions);
    this.capabilities = this.#ready({
      printed: inspect(createClient(clientOptions)),
      ...difference.capabilities,
    });
    const next = async ({ operation, idempotencyKey, timeout, ...rest }: Call): Promise<Reply> => {
      const options = { idempotencyKey, timeout, signal: this.#closed.signal };
      try {
        return { result: await callOperation(api, { operation, ...rest }, options) };
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
    const number = this.#calls;
    // As a driver that reads and writes lines.
    const read = JSON.parse(JSON.stringify(call)) as Call;
    const late = Promise.withResolvers<undefined>();
    const timeout = setTimeout(() => late.resolve(undefined), replyTimeout);
    const reply = await Promise.race([
      this.#current.run(read, () => this.#reply(read)),
      late.promise,
    ]).finally(() => clearTimeout(timeout));
    if (reply === undefined) {
      await this.close();
      return undefined;
    }
    const line = JSON.stringify({ call: number, ...reply });
    this.#keep(line);
    return readReply(line, number)[1];
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

/** Calls the function of an operation with its path parameters, query, body and options. */
function callOperation(
  api: Connection,
  { operation, path = {}, query = {}, body }: Call,
  options: IdempotentRequestOptions,
): Promise<unknown> {
  const { pathParameters, queryParameters, requestBody }: OperationRow = operations[operation];
  const input: unknown[] = pathParameters.map((name) => path[name]);
  if (queryParameters.length > 0) input.push(query);
  if (requestBody !== null) input.push(operation === "sendBatch" ? Object(body).emails : body);
  return callFunctions[operation](api, ...input, options);
}

const callFunctions = functions as unknown as Record<
  OperationId,
  (api: Connection, ...input: unknown[]) => Promise<unknown>
>;

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
