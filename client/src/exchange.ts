import { failed, refused } from "../../generated/client/table.ts";
import { type Circumstances, ConnectionError, TimeoutError } from "./errors.ts";
import type { EventDetail } from "./events.ts";
import { type Json, objectIn, read, secondsToWait } from "./reading.ts";
import type { Clock, Settings } from "./settings.ts";
import { bounds, longest, timeUp } from "./time.ts";

/** A request, the same in all attempts. */
export interface Work {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** Undefined where it has none. */
  body: string | undefined;
  /** Undefined where it has none. */
  idempotencyKey: string | undefined;
  /** The API key, which nothing may show. */
  secret: string;
}

/**
 * Makes something of the last answer, good or bad.
 *
 * @param data the body of a success; undefined where it is not a JSON object, or too large to be an answer
 * @param error what the body of a failure tells; empty where it tells nothing
 * @param retryAfter in seconds; null where the answer does not say
 * @param note why the call was not repeated although it may be; empty otherwise
 */
export type Settle<Result> = (
  response: Response,
  about: Circumstances,
  data: Json | undefined,
  error: Json,
  retryAfter: number | null,
  note: string,
) => Result;

/**
 * The attempt loop. Repeats what the contract allows to be repeated (ERR-15, HEAD-9): a refusal by the rate limit always;
 * what may have been done already only where that does no harm, for a request that only reads or has an idempotency key.
 * Pauses are 0.5 s, 1 s, 2 s ... 8 s, less up to a half, on top of what `Retry-After` asks for.
 *
 * It is one function on purpose: each piece taken out of it costs every program that sends a mail some dozens of bytes.
 *
 * @throws ConnectionError, TimeoutError, the reason of the signal, or what `settle` throws
 */
export async function exchange<Result>(
  work: Work,
  settings: Settings,
  settle: Settle<Result>,
): Promise<Result> {
  const { headers, body: text, secret, ...request } = work;
  const {
    clock = globalThis as Clock,
    random = Math.random,
    fetch: send = fetch,
    onEvent,
    signal,
    attempts: most = 4,
    attemptTimeout = 30_000,
    timeout = 120_000,
  } = settings;
  const { now } = clock.Date;
  const deadline = now() + Math.min(timeout, longest);
  const limited = bounds(clock, deadline, signal);
  const hide = (said: unknown) => `${said}`.replaceAll(secret, "[key]");
  for (let attempts = 1; ; attempts++) {
    const about = { ...request, attempts };
    const tell = async (event: EventDetail) => {
      try {
        await onEvent?.({ ...about, ...event });
      } catch {}
    };
    let response: Response | undefined;
    // What came of it counts even where the rest is lost.
    let heard: Response | undefined;
    let data: Json | undefined;
    let error: Json = {};
    let reason: { cause?: { code?: string } } | undefined;
    let began: number | undefined;
    try {
      const extra = {};
      await limited(timeout, (signal) => tell({ type: "attempt", headers: extra, signal }));
      began = now();
      await limited(attemptTimeout, async (signal) => {
        heard = await send(request.url, {
          method: request.method,
          headers: { ...extra, ...headers },
          body: text,
          signal,
          redirect: "manual",
        } as RequestInit);
        const body = objectIn(await read(heard));
        if (heard.ok) data = body;
        // Written anew: escaped, a text may look different from what it says.
        else error = Object(objectIn(hide(JSON.stringify(body)))?.error);
        response = heard;
      });
    } catch (thrown) {
      reason = thrown as typeof reason;
    }
    if (began) tell({ type: "result", answer: response, error, milliseconds: now() - began });
    if (!response && signal?.aborted) throw signal.reason;
    const retryAfter = secondsToWait(heard?.headers, now());
    // Null adds nothing.
    const milliseconds =
      1000 * ((retryAfter as number) + Math.min(2 ** attempts / 4, 8) * (1 - random() / 2));
    const said = `${response?.status}.${error.type}`;
    const again =
      attempts < most &&
      (refused.test(said) ||
        // What was done already does no harm when it is asked for again.
        ((request.method === "GET" || request.idempotencyKey) && (!response || failed.test(said))));
    if (!again || now() + milliseconds >= deadline) {
      const note = again && retryAfter ? "; Retry-After passes the timeout" : "";
      if (response) return settle(response, about, data, error, retryAfter, note);
      throw new (reason === timeUp ? TimeoutError : ConnectionError)(
        `no answer: ${hide(reason?.cause?.code ?? reason)}${note}`,
        about,
      );
    }
    tell({ type: "pause", milliseconds });
    await limited(milliseconds);
  }
}
