/** Keeps the calls of one account within its request limit. One pacer serves all keys of the account (Authentication 4). */
export interface RateLimiter {
  /** Resolves when a call may be made. */
  acquire(): Promise<void>;
  /** A call that had its turn is over: tells what its answer says of the budget, where there was one. */
  release(headers?: Record<string, string>): void;
  /** The server refused a call for having had too many: nothing is sent for so many seconds. */
  pause(seconds: number): void;
}

export interface RateLimiterOptions {
  /** The limit of a minute until an answer tells another. */
  limit: number;
  /** The names, in small letters, of the headers that tell the limit and what is left of it. */
  headers: { limit: string; remaining: string };
  now(): number;
  wait(milliseconds: number): Promise<void>;
  /** Told how long everything waits, in milliseconds, each time that it does. */
  onWait(milliseconds: number): void;
}

const minute = 60_000;
/** Calls left to others that use the account at the same time, and to a clock that is not quite this one. */
const reserve = 2;

/**
 * A pacer over the last 60 seconds, whenever they began, and never beyond what the server says is left: others may use the
 * same account.
 */
export function createRateLimiter({
  limit: first,
  headers,
  now,
  wait,
  onWait,
}: RateLimiterOptions): RateLimiter {
  let limit = first;
  let remaining = Number.POSITIVE_INFINITY;
  let underWay = 0;
  let until = 0;
  const made: number[] = [];
  let queue = Promise.resolve();

  const delay = (): number => {
    while (made[0] !== undefined && made[0] <= now() - minute) made.shift();
    const oldest = made[0];
    const full = made.length >= limit - reserve || remaining <= reserve;
    const free = full ? (oldest ?? now()) + minute : 0;
    return Math.max(free, until) - now();
  };
  const take = async (): Promise<void> => {
    for (let milliseconds = delay(); milliseconds > 0; milliseconds = delay()) {
      onWait(milliseconds);
      await wait(milliseconds);
      // What was left then says nothing of now: the next answer tells.
      remaining = Number.POSITIVE_INFINITY;
    }
    made.push(now());
    remaining -= 1;
    underWay += 1;
  };
  return {
    acquire: () => {
      queue = queue.then(take);
      return queue;
    },
    release: (told = {}) => {
      underWay -= 1;
      const ofLimit = Number(told[headers.limit] ?? Number.NaN);
      const left = Number(told[headers.remaining] ?? Number.NaN);
      if (Number.isInteger(ofLimit) && ofLimit > reserve) limit = ofLimit;
      if (Number.isInteger(left)) remaining = left - underWay;
    },
    pause: (seconds) => {
      until = Math.max(until, now() + seconds * 1000);
    },
  };
}
