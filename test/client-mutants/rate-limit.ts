import { type ClientMutant, violating } from "./client-mutant.ts";
import { type Attempt, backoff, retryAfterOf, retrying, usualPolicy } from "./retrying.ts";

/** Another pause before a retry. */
const pauses = (title: string, pause: (attempt: Attempt) => number): ClientMutant =>
  violating("HEAD-9").mutant(title, retrying({ pause }));

const textOf = ({ response }: Attempt): string => response?.headers.get("retry-after") ?? "";
const isSeconds = (attempt: Attempt): boolean => /^\d+$/.test(textOf(attempt));

/** Pauses after a 429 `rate_limited`. */
export const rateLimitMutants = [
  pauses("ignores Retry-After", backoff),
  pauses("retries a 429 at once", ({ response, ...attempt }) =>
    response?.status === 429 ? 0 : usualPolicy.pause({ response, ...attempt }),
  ),
  pauses("takes Retry-After for milliseconds", (attempt) => retryAfterOf(attempt) + backoff(attempt)),
  pauses("waits for half of Retry-After", (attempt) => retryAfterOf(attempt) * 500),
  pauses("waits for Retry-After after the first attempt only", (attempt) =>
    attempt.number === 1 ? usualPolicy.pause(attempt) : 50,
  ),
  pauses("waits for five seconds, whatever Retry-After says", (attempt) =>
    textOf(attempt) === "" ? backoff(attempt) : 5_000,
  ),
  pauses("waits for at most ten seconds", (attempt) => Math.min(10_000, usualPolicy.pause(attempt))),
  pauses("waits for at most 600 ms", (attempt) => Math.min(600, usualPolicy.pause(attempt))),
  pauses("reads Retry-After as a date only", (attempt) =>
    isSeconds(attempt) ? backoff(attempt) : usualPolicy.pause(attempt),
  ),
  pauses("waits for Retry-After after reads only", (attempt) =>
    attempt.request.method === "GET" ? usualPolicy.pause(attempt) : backoff(attempt),
  ),
  pauses("waits for Retry-After after writes only", (attempt) =>
    attempt.request.method === "GET" ? backoff(attempt) : usualPolicy.pause(attempt),
  ),
  pauses("takes a Retry-After of an hour for a mistake", (attempt) =>
    retryAfterOf(attempt) >= 3600 ? backoff(attempt) : usualPolicy.pause(attempt),
  ),
];
