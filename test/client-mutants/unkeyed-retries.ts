import { randomUUID } from "node:crypto";
import { type ClientMutant, violating } from "./client-mutant.ts";
import type { CreateDifference, SentRequest } from "./difference.ts";
import { withHeaders } from "./requests.ts";
import { type Attempt, retrying, usualPolicy } from "./retrying.ts";

const idem5 = violating("IDEM-5");
const name = "idempotency-key";

/** A client without keys of its own. */
const unkeyed =
  (create: CreateDifference): CreateDifference =>
  (context) => {
    const { options = {}, send } = create(context);
    return {
      options,
      capabilities: { idempotencyKeys: "explicit" },
      send: (request, next) => {
        const isGiven = context.call().idempotencyKey !== undefined;
        const sent = isGiven ? request : { ...request, ...withHeaders(request, { [name]: undefined }) };
        return send?.(sent, next) ?? next(sent);
      },
    };
  };

/** It retries nevertheless. */
const unkeyedRetries = (isRetried: (attempt: Attempt) => boolean): CreateDifference =>
  unkeyed(retrying({ isRetried: (attempt) => isRetried(attempt) || usualPolicy.isRetried(attempt) }));

/** Retries of one operation without a key: after a failure of the service, and after a lost connection. */
const retriesUnkeyed = (what: string, path: string): ClientMutant[] => [
  idem5.mutant(
    `retries ${what} without a key after a 5xx`,
    unkeyedRetries(({ outcome, request }) => /^5/.test(outcome) && isPost(request, path)),
  ),
  idem5.mutant(
    `retries ${what} without a key after a lost connection`,
    unkeyedRetries(({ outcome, request }) => outcome === "lost" && isPost(request, path)),
  ),
];

const isPost = ({ method, url }: SentRequest, path: string): boolean =>
  method === "POST" && url.endsWith(path);

/** Retries of requests that have no key. */
export const unkeyedRetryMutants = [
  ...retriesUnkeyed("sends", "/emails"),
  ...retriesUnkeyed("batches", "/batch"),
  ...retriesUnkeyed("contacts", "/contacts"),
  ...["500 unspecified", "502", "503 service_unavailable"].flatMap((failure) =>
    ["/emails", "/batch", "/contacts"].map((path) =>
      idem5.mutant(
        `retries POST ${path} without a key after ${failure} only`,
        unkeyedRetries(({ outcome, request }) => outcome === failure && isPost(request, path)),
      ),
    ),
  ),
  idem5.mutant(
    "sends a message without a key again after its timeout",
    unkeyed(() => ({
      send: async (request, next) => {
        try {
          return await next(request);
        } catch (error) {
          if (!request.signal.aborted || name in request.headers) throw error;
          return next({ ...request, signal: AbortSignal.timeout(1_000) });
        }
      },
    })),
  ),
  idem5.mutant("has a new key after a 502 if the caller gave none", (context) =>
    retrying({
      again: (request, { outcome }) =>
        context.call().idempotencyKey === undefined && outcome === "502" && name in request.headers
          ? { ...request, ...withHeaders(request, { [name]: randomUUID() }) }
          : request,
    })(context),
  ),
];
