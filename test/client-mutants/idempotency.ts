import { createHash, randomUUID } from "node:crypto";
import { type ClientMutant, violating } from "./client-mutant.ts";
import type { ClientContext, ReceivedResponse, SentRequest } from "./difference.ts";
import { withHeaders } from "./requests.ts";
import { retrying, usualPolicy } from "./retrying.ts";

const idem5 = violating("IDEM-5");
const name = "idempotency-key";

/** Requests that take an idempotency key, with another one; undefined removes it. */
const keys = (
  title: string,
  change: (key: string, request: SentRequest, context: ClientContext) => string | undefined,
): ClientMutant =>
  idem5.sends(title, (request, context) => {
    const key = request.headers[name];
    return key === undefined ? undefined : withHeaders(request, { [name]: change(key, request, context) });
  });

/** As `keys`, for calls without a key of their own. */
const automaticKeys = (title: string, change: (key: string, request: SentRequest) => string): ClientMutant =>
  keys(title, (key, request, context) =>
    context.call().idempotencyKey === undefined ? change(key, request) : key,
  );

/** Another key in each later attempt. */
const retriesWithKey = (
  title: string,
  change: (key: string, attempt: number) => string | undefined,
): ClientMutant =>
  idem5.mutant(
    title,
    retrying({
      again: (request, { number }) => {
        const key = request.headers[name];
        return key === undefined
          ? request
          : { ...request, ...withHeaders(request, { [name]: change(key, number) }) };
      },
    }),
  );

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

const isSend = ({ method, url }: SentRequest): boolean => method === "POST" && /\/(emails|batch)$/.test(url);

/** Idempotency keys, and requests that are sent more often than they should. */
export const idempotencyMutants = [
  retriesWithKey("has a new key in each attempt", () => randomUUID()),
  retriesWithKey("adds the number of the attempt to the key", (key, attempt) => `${key}-${attempt}`),
  retriesWithKey("retries without the key", () => undefined),
  automaticKeys("has one key for all calls", () => "email-client"),
  automaticKeys("has the operation as the key", (_, { url }) => hash(url)),
  automaticKeys("has a key for each body, so that equal sends are one", (_, { body }) => hash(`${body}`)),
  automaticKeys("has a key for each second", () => `key-${Math.floor(Date.now() / 1000)}`),
  keys("ignores the key of the caller", () => randomUUID()),
  keys("adds a prefix to the key of the caller", (key) => `email-client-${key}`),
  keys("sends keys in lower case", (key) => key.toLowerCase()),
  keys("cuts keys after 64 characters", (key) => key.slice(0, 64)),
  keys("percent-encodes keys", encodeURIComponent),
  keys("hashes keys", hash),
  keys("sends keys in quotes", (key) => `"${key}"`),
  keys("sends no key", () => undefined),
  keys("sends keys with single sends only", (key, { url }) => (url.endsWith("/emails") ? key : undefined)),
  idem5.mutant("creates keys, although it says that it does not", () => ({
    capabilities: { idempotencyKeys: "explicit" },
  })),
  idem5.sends("sends keys in X-Idempotency-Key", (request) =>
    withHeaders(request, { [name]: undefined, "x-idempotency-key": request.headers[name] }),
  ),
  idem5.mutant(
    "retries an idempotency_conflict with a new key",
    retrying({
      isRetried: (attempt) => attempt.type === "idempotency_conflict" || usualPolicy.isRetried(attempt),
      again: (request, { type }) =>
        type === "idempotency_conflict"
          ? { ...request, ...withHeaders(request, { [name]: randomUUID() }) }
          : request,
    }),
  ),
  idem5.transmits("sends each message twice in the background", async (request, next) => {
    if (!isSend(request)) return next(request);
    const again = { ...request, ...withHeaders(request, { [name]: randomUUID() }) };
    const [response] = await Promise.all([next(request), next(again)]);
    return response;
  }),
  idem5.transmits("sends a message again with a new key if the response is slow", async (request, next) => {
    if (!isSend(request)) return next(request);
    const again = { ...request, ...withHeaders(request, { [name]: randomUUID() }) };
    const late = new Promise<ReceivedResponse>((resolve, reject) => {
      setTimeout(() => next(again).then(resolve, reject), 300);
    });
    const first = next(request);
    const response = await Promise.race([first, late]);
    return response;
  }),
  idem5.transmits(
    "sends a message again with a new key if the response is a replay",
    async (request, next) => {
      const response = await next(request);
      if (!response.headers.has("idempotent-replayed")) return response;
      return next({ ...request, ...withHeaders(request, { [name]: randomUUID() }) });
    },
  ),
  idem5.transmits("sends a message again with a new key if the connection is lost", async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      if (!isSend(request) || request.signal.aborted) throw error;
      return next({ ...request, ...withHeaders(request, { [name]: randomUUID() }) });
    }
  }),
  idem5.receives("takes a replay for an error", ({ headers }) =>
    headers.has("idempotent-replayed") ? { status: 409 } : undefined,
  ),
  idem5.receives("reads no body of a replay", ({ headers }) =>
    headers.has("idempotent-replayed") ? { body: Buffer.from("{}") } : undefined,
  ),
];
