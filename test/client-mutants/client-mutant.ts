import type { ClientOptions } from "../../client/src/index.ts";
import type { Call, CallError, Capabilities, Reply } from "../../contract/client-suite/driver/protocol.ts";
import { operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import type { RequirementId } from "../mutants/mutant.ts";

/** A request on its way from the client to the network. */
export interface SentRequest {
  method: string;
  url: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  signal: AbortSignal;
}

/** A response on its way to the client. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

export type Send = (request: SentRequest) => Promise<ReceivedResponse>;

/** What a difference can know about the client. */
export interface ClientContext {
  baseUrl: string;
  key: string;
  /** The current call. */
  call(): Call;
  /** Writes a line to standard error. */
  log(text: string): void;
  /** Aborts when the driver is closed. */
  signal: AbortSignal;
}

/** How a client differs from the project's own client. */
export interface Difference {
  options?: Partial<ClientOptions>;
  capabilities?: Partial<Capabilities>;
  /** Stands between the client and the network. */
  send?(request: SentRequest, next: Send): Promise<ReceivedResponse>;
  /** Stands between the driver and the client. */
  call?(call: Call, next: (call: Call) => Promise<Reply>): Promise<Reply>;
}

/** Creates a difference for each client, so that it can have state. */
export type CreateDifference = (context: ClientContext) => Difference;

/** A client with one fault. */
export interface ClientMutant {
  /** The requirement that the fault violates. */
  requirement: RequirementId;
  /** The fault as a statement about the client. */
  title: string;
  create: CreateDifference;
}

export type Json = Record<string, unknown>;

/** Creates mutants that violate a requirement. */
export const violating = (requirement: RequirementId) =>
  differing((title, create): ClientMutant => ({ requirement, title, create }));

/** Creates clients with a difference, such as mutants. */
export function differing<Client>(mutant: (title: string, create: CreateDifference) => Client) {
  return {
    /** Any difference. */
    mutant,
    /** Requests that are changed on their way. */
    sends: (
      title: string,
      change: (request: SentRequest, context: ClientContext) => Partial<SentRequest> | undefined,
    ): Client =>
      mutant(title, (context) => ({
        send: (request, next) => next({ ...request, ...change(request, context) }),
      })),
    /** Requests with a changed JSON body; undefined leaves it as it is. */
    sendsBody: (title: string, change: (body: Json, call: Call) => unknown): Client =>
      mutant(title, (context) => ({
        send: (request, next) => next(withBody(request, (body) => change(body, context.call()))),
      })),
    /** Requests that are sent in another way. */
    transmits: (
      title: string,
      send: (request: SentRequest, next: Send, context: ClientContext) => Promise<ReceivedResponse>,
    ): Client => mutant(title, (context) => ({ send: (request, next) => send(request, next, context) })),
    /** Responses that are changed before the client reads them. */
    receives: (
      title: string,
      change: (response: ReceivedResponse, request: SentRequest) => Partial<ReceivedResponse> | undefined,
    ): Client =>
      mutant(title, () => ({
        send: async (request, next) => {
          const response = await next(request);
          return { ...response, ...change(response, request) };
        },
      })),
    /** Results that are changed before the caller gets them. */
    returns: (title: string, change: (result: unknown, call: Call) => unknown): Client =>
      mutant(title, () =>
        replying((reply, call) => ("result" in reply ? { result: change(reply.result, call) } : reply)),
      ),
    /** Errors that are changed before the caller gets them; undefined leaves them as they are. */
    rejects: (title: string, change: (error: CallError, call: Call) => Reply | undefined): Client =>
      mutant(title, () =>
        replying((reply, call) => ("error" in reply && change(reply.error, call)) || reply),
      ),
    /** Calls that never come to the network: undefined lets a call pass. */
    responds: (title: string, reply: (call: Call) => Promise<Reply> | Reply | undefined): Client =>
      mutant(title, () => ({ call: async (call, next) => (await reply(call)) ?? next(call) })),
  };
}

const replying = (change: (reply: Reply, call: Call) => Reply): Difference => ({
  call: async (call, next) => change(await next(call), call),
});

/** The request with a changed JSON body. */
function withBody(request: SentRequest, change: (body: Json) => unknown): SentRequest {
  const body = request.body === undefined ? undefined : (JSON.parse(request.body.toString()) as unknown);
  const changed = isObject(body) ? change(body) : undefined;
  return changed === undefined ? request : { ...request, body: JSON.stringify(changed) };
}

/** The request with its path parameter encoded in another way; undefined if it has none. */
export function withParameter(
  { baseUrl, call }: ClientContext,
  encode: (value: string, name: string) => string,
): Pick<SentRequest, "url"> | undefined {
  const { operation, path = {} } = call();
  const [entry] = Object.entries(path);
  if (entry === undefined) return undefined;
  const [name, value] = entry;
  return { url: baseUrl + operations[operation].path.replace(`{${name}}`, () => encode(value, name)) };
}

/** The request with other headers; undefined removes one. */
export function withHeaders(request: SentRequest, changes: Record<string, string | undefined>) {
  const merged = Object.entries({ ...request.headers, ...changes });
  const headers = Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { headers };
}
