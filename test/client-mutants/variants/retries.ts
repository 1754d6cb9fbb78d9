import { randomUUID } from "node:crypto";
import type { Call } from "../../../contract/client-suite/driver/protocol.ts";
import { withHeaders } from "../client-mutant.ts";
import { backoff, retryAfterOf, retrying, usualPolicy } from "../retrying.ts";
import { type ClientVariant, retries } from "./variant.ts";

const name = "idempotency-key";

/** Variants with other retries, keys and timeouts. */
export const retryVariants: ClientVariant[] = [
  {
    title: "retries nothing, creates no keys and has no timeouts",
    create: (context) => ({
      options: { attempts: 1, attemptTimeout: Number.POSITIVE_INFINITY, timeout: Number.POSITIVE_INFINITY },
      capabilities: { retries: false, idempotencyKeys: "explicit", timeouts: false },
      call: ({ timeout: _, ...call }, next) => next(call),
      send: (request, next) =>
        next({ ...request, ...withHeaders(request, { [name]: context.call().idempotencyKey }) }),
    }),
  },
  {
    title: "retries nothing, but creates keys",
    create: () => ({ options: { attempts: 1 }, capabilities: { retries: false } }),
  },
  {
    title: "retries nothing, but its HTTP library repeats reads, and once what has a key",
    create: (context) => ({
      ...retrying({
        isRetried: ({ outcome, request, number }) =>
          outcome === "lost" && (request.method === "GET" || (name in request.headers && number === 1)),
        pause: () => 0,
      })(context),
      capabilities: { retries: false },
    }),
  },
  {
    title: "retries with the keys of the caller only",
    create: (context) => ({
      ...retrying({})(context),
      capabilities: { idempotencyKeys: "explicit" },
      send: async (request, next) => {
        const { send = next } = retrying({})(context);
        const key = context.call().idempotencyKey;
        return send({ ...request, ...withHeaders(request, { [name]: key }) }, next);
      },
    }),
  },
  retries("pauses twice as long", {
    pause: (attempt) => retryAfterOf(attempt) * 1000 + 2 * backoff(attempt),
  }),
  retries("retries once", { attempts: 2 }),
  retries("retries every request that has the same effect twice", {
    isRetried: (attempt) =>
      usualPolicy.isRetried(attempt) ||
      (/^(500|502|503|lost)/.test(attempt.outcome) && attempt.request.method !== "POST"),
  }),
  retries("retries failures of the service, but no lost connection", {
    isRetried: (attempt) => attempt.outcome !== "lost" && usualPolicy.isRetried(attempt),
  }),
  retries("waits for a long Retry-After, whatever the timeout", {
    pause: (attempt) => retryAfterOf(attempt) * 1100 + backoff(attempt),
  }),
  retries("reads Retry-After as seconds only, and retries many times without it", {
    attempts: 9,
    pause: (attempt) =>
      /^\d+$/.test(attempt.response?.headers.get("retry-after") ?? "")
        ? usualPolicy.pause(attempt)
        : Math.min(backoff(attempt), 700),
  }),
  retries("pauses before the first retry only", {
    pause: (attempt) => (attempt.number === 1 || retryAfterOf(attempt) > 0 ? usualPolicy.pause(attempt) : 0),
  }),
  retries("retries once at once, and then with backoff", {
    pause: (attempt) =>
      attempt.number === 1 && retryAfterOf(attempt) === 0 ? 0 : usualPolicy.pause(attempt),
  }),
  retries("has random pauses from 0 to the backoff", {
    pause: (attempt) => retryAfterOf(attempt) * 1000 + Math.random() * backoff(attempt),
  }),
  retries("retries once after a random pause of up to 100 ms", {
    attempts: 2,
    pause: (attempt) => retryAfterOf(attempt) * 1000 + Math.random() * 100,
  }),
  retries("gives up if Retry-After is more than three seconds", {
    isRetried: (attempt) => retryAfterOf(attempt) <= 3 && usualPolicy.isRetried(attempt),
  }),
  {
    title: "has short keys of its own form, and one for each request that changes something",
    create: (context) => {
      let count = 0;
      const prefix = randomUUID().slice(0, 8);
      const keys = new WeakMap<Call, string>();
      return {
        send: (request, next) => {
          const call = context.call();
          if (call.idempotencyKey !== undefined || request.method === "GET") return next(request);
          count += 1;
          const key = keys.get(call) ?? `${prefix}/${count}`;
          keys.set(call, key);
          return next({ ...request, ...withHeaders(request, { [name]: key }) });
        },
      };
    },
  },
];
