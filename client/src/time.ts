import type { Message, MessageStatus } from "../../generated/client/models.ts";
import { finalStates } from "../../generated/client/table.ts";
import type { Clock, RequestOptions } from "./options.ts";
import { checkPositive } from "./validate.ts";

/** The rejection of a timer. An object, so that nothing else equals it; messages show its text. */
export const timedOut = ["timeout"];

/** The longest delay of a platform timer, in milliseconds, rounded down; a longer one fires immediately. */
export const maxDelay = 2e9;

/** Runs some work with a time limit in milliseconds. Without work, it waits that long. */
type Timer = <T>(milliseconds: number, work?: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/**
 * Creates a timer that also has a deadline. It rejects with `timedOut` when the time is up, or with the reason of the outer
 * signal; the signal of the work is then aborted, and the work is not awaited.
 */
export const createTimer =
  (
    { Date: time, setTimeout, clearTimeout }: Clock,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Timer =>
  (milliseconds, work) =>
    new Promise((resolve, reject) => {
      const inner = new AbortController();
      const settle =
        <Value>(act: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timeout);
          act(value);
          // Aborts unfinished work, and removes the listener below.
          inner.abort();
        };
      const fail = settle(reject);
      const timeout = setTimeout(
        work ? () => fail(timedOut) : (settle(resolve) as () => void),
        Math.min(milliseconds, deadline - time.now()),
      );
      const abort = () => fail((signal as AbortSignal).reason);
      signal?.addEventListener("abort", abort, inner);
      if (signal?.aborted) abort();
      else work?.(inner.signal).then(settle(resolve), fail);
    });

/** How long to wait for a message, and how often to look it up. */
export interface WaitOptions extends RequestOptions {
  /** The longest wait, in milliseconds; default: 300 000. */
  timeout?: number | undefined;
  /** The first pause between two requests, in milliseconds; default: 2 000. Each is 1.5 times the one before, up to 30 s. */
  interval?: number | undefined;
}

/** A message did not reach the state: it cannot any more, or not in time. */
export class StateError extends Error {
  override name = "StateError";
  /** The message as of the last lookup. */
  readonly record: Message;
  constructor(state: MessageStatus, record: Message, late = "") {
    super(`the message is ${record.status} and was not ${state}${late}`);
    this.record = record;
  }
}

/** Looks a message up until it reaches a state or has passed it. */
export async function waitFor(
  get: (id: string, options: RequestOptions) => Promise<Message>,
  clock: Clock,
  id: string,
  state: MessageStatus,
  { timeout = 300_000, interval = 2000, ...options }: WaitOptions = {},
  requestTimeout = 120_000,
): Promise<Message> {
  checkPositive({ timeout, interval });
  const deadline = clock.Date.now() + timeout;
  const timer = createTimer(clock, deadline, options.signal);
  for (let pause = interval; ; pause = Math.min(pause * 1.5, 30_000)) {
    // A late timer leaves no time: a request needs some.
    const left = Math.max(deadline - clock.Date.now(), 1);
    const record = await get(id, { ...options, timeout: Math.min(left, requestTimeout) });
    // A message may have passed the state: one that is delivered was sent.
    if (record.status === state || record[`${state}_at` as "sent_at"]) return record;
    if ((finalStates as readonly string[]).includes(record.status)) throw new StateError(state, record);
    if (clock.Date.now() + pause >= deadline) throw new StateError(state, record, " in time");
    await timer(pause);
  }
}
