import type { Call, CallError, Reply } from "../../contract/client-suite/driver/protocol.ts";
import { operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import type { RequirementId } from "../mutants/mutant.ts";
import type {
  ClientContext,
  CreateDifference,
  Difference,
  ReceivedResponse,
  Send,
  SentRequest,
} from "./difference.ts";

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
export const violating = (requirement: RequirementId) => {
  const mutant = (title: string, create: CreateDifference): ClientMutant => ({ requirement, title, create });
  return {
    /** Any difference. */
    mutant,
    /** Requests that are changed on their way. */
    sends: (
      title: string,
      change: (request: SentRequest, context: ClientContext) => Partial<SentRequest> | undefined,
    ): ClientMutant =>
      mutant(title, (context) => ({
        send: (request, next) => next({ ...request, ...change(request, context) }),
      })),
    /** Requests with a changed JSON body; undefined leaves it as it is. */
    sendsBody: (title: string, change: (body: Json, call: Call) => unknown): ClientMutant =>
      mutant(title, (context) => ({
        send: (request, next) => next(withBody(request, (body) => change(body, context.call()))),
      })),
    /** Requests that are sent in another way. */
    transmits: (
      title: string,
      send: (request: SentRequest, next: Send, context: ClientContext) => Promise<ReceivedResponse>,
    ): ClientMutant =>
      mutant(title, (context) => ({ send: (request, next) => send(request, next, context) })),
    /** Responses that are changed before the client reads them. */
    receives: (
      title: string,
      change: (response: ReceivedResponse, request: SentRequest) => Partial<ReceivedResponse> | undefined,
    ): ClientMutant =>
      mutant(title, () => ({
        send: async (request, next) => {
          const response = await next(request);
          return { ...response, ...change(response, request) };
        },
      })),
    /** Results that are changed before the caller gets them. */
    returns: (title: string, change: (result: unknown, call: Call) => unknown): ClientMutant =>
      mutant(title, () =>
        replying((reply, call) => ("result" in reply ? { result: change(reply.result, call) } : reply)),
      ),
    /** Errors that are changed before the caller gets them; undefined leaves them as they are. */
    rejects: (title: string, change: (error: CallError, call: Call) => Reply | undefined): ClientMutant =>
      mutant(title, () =>
        replying((reply, call) => ("error" in reply && change(reply.error, call)) || reply),
      ),
    /** Calls that never come to the network: undefined lets a call pass. */
    responds: (title: string, reply: (call: Call) => Promise<Reply> | Reply | undefined): ClientMutant =>
      mutant(title, () => ({ call: async (call, next) => (await reply(call)) ?? next(call) })),
  };
};

const replying = (change: (reply: Reply, call: Call) => Reply): Difference => ({
  call: async (call, next) => change(await next(call), call),
});

/** The request with a changed JSON body. */
export function withBody(request: SentRequest, change: (body: Json) => unknown): SentRequest {
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

/** A promise that is pending until the driver is closed. */
export const forever = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
