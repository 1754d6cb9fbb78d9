import type { Call, CallError, Reply } from "../../../contract/client-suite/driver/protocol.ts";
import type { ClientContext, CreateDifference, SentRequest } from "../client-mutant.ts";
import { type Json, withBody } from "../client-mutant.ts";

/** A correct client that differs from the project's own client. */
export interface ClientVariant {
  /** The difference as a statement. */
  title: string;
  create: CreateDifference;
}

/** A variant whose requests differ. */
export const sends = (
  title: string,
  change: (request: SentRequest, context: ClientContext) => Partial<SentRequest> | undefined,
): ClientVariant => ({
  title,
  create: (context) => ({ send: (request, next) => next({ ...request, ...change(request, context) }) }),
});

/** A variant whose JSON bodies differ. */
export const sendsBody = (title: string, change: (body: Json, call: Call) => unknown): ClientVariant =>
  sends(title, (request, context) => withBody(request, (body) => change(body, context.call())));

/** A variant that writes the same JSON in another way. */
export const writesBody = (title: string, write: (text: string) => string): ClientVariant =>
  sends(title, ({ body }) => (body === undefined ? undefined : { body: write(body.toString()) }));

/** A variant whose results differ. */
export const returns = (title: string, change: (result: unknown) => unknown): ClientVariant => ({
  title,
  create: () => ({
    call: async (call, next) => {
      const reply = await next(call);
      return "result" in reply ? { result: change(reply.result) } : reply;
    },
  }),
});

/** A variant whose errors differ; undefined leaves an error as it is. */
export const rejects = (
  title: string,
  change: (error: CallError) => CallError | undefined,
): ClientVariant => ({
  title,
  create: () => ({
    call: async (call, next): Promise<Reply> => {
      const reply = await next(call);
      return "error" in reply ? { error: change(reply.error) ?? reply.error } : reply;
    },
  }),
});
