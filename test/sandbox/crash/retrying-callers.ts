import { setTimeout as wait } from "node:timers/promises";
import { cancel, send, UnexpectedResponse } from "./callers.ts";
import { makeWork, type Work } from "./work.ts";

export interface RetryingCalls {
  /** The base URL of an instance that listens; undefined without one. */
  url(): string | undefined;
  random(): number;
  works: Work[];
  /** No new work from then on: the callers end once all of theirs has got a response. */
  signal: AbortSignal;
}

const callers = 4;

/** The clock of the instances is real. */
const ahead = { least: 1_000, most: 5_000 };

/** The longest pause of a caller, in milliseconds: what waits should wait for a lease, not because there is more work than time. */
const longestPause = 600;

/** How long a request may take, in milliseconds. */
const responseTimeout = 40_000;

/** Sends work to any instance, and retries with the same idempotency key until there is a response. @returns the number of retries */
export async function callWithRetries(calls: RetryingCalls): Promise<number> {
  const retries = await Promise.all(Array.from({ length: callers }, () => oneCaller(calls)));
  return retries.reduce((sum, count) => sum + count, 0);
}

async function oneCaller({ url, random, works, signal }: RetryingCalls): Promise<number> {
  let retries = 0;
  const untilDone = async (request: (target: Target) => Promise<void>): Promise<void> => {
    while (!(await attempt(url(), request))) {
      retries += 1;
      await wait(20 + random() * 100);
    }
  };
  while (!signal.aborted) {
    const repeated = random() < 0.1 ? works[Math.floor(random() * works.length)] : undefined;
    const work = repeated ?? makeWork(works.length, random, Date.now(), ahead);
    if (repeated === undefined) works.push(work);
    await untilDone((target) => send(target, work));
    const isScheduled = work.ids?.length === 1 && work.body.includes("scheduled_at");
    if (isScheduled && random() < 0.2) await untilDone((target) => cancel(target, work));
    await wait(random() * longestPause);
  }
  return retries;
}

type Target = { url: string; signal: AbortSignal };

/** @returns whether there was a response; not if the instance was killed or lost its database */
async function attempt(
  url: string | undefined,
  request: (target: Target) => Promise<void>,
): Promise<boolean> {
  if (url === undefined) return false;
  try {
    await request({ url, signal: AbortSignal.timeout(responseTimeout) });
    return true;
  } catch (error) {
    if (error instanceof TypeError || (error instanceof UnexpectedResponse && error.status === 503))
      return false;
    throw error;
  }
}
