import { type Exchange, isSuccess } from "../exchange.ts";

/** In milliseconds: differences below it are not told from those between clocks. */
const slack = 60_000;

/** The server's time before a request and after its response, in milliseconds since 1970. */
export interface ServerTime {
  sentAt: number;
  now: number;
}

/** Estimates how far the server's clock is from that of the record, by the headers Date and by times in responses. */
export class ServerClock {
  #offset = 0;
  #hasDates = false;
  #latest = Number.NEGATIVE_INFINITY;

  /**
   * @param end when the response was complete, by the clock of the record
   * @returns undefined if the server's clock turns out to be another one than assumed so far: what is known then is unsafe
   */
  timeOf(exchange: Exchange, start: number, end: number): ServerTime | undefined {
    const date = Date.parse(exchange.headers.date ?? "");
    if (!Number.isNaN(date)) {
      this.#hasDates = true;
      const difference = date - end;
      this.#offset = Math.abs(difference) > slack ? difference : 0;
      const isBack = date < this.#latest - slack;
      this.#latest = isBack ? date : Math.max(this.#latest, date);
      // It was reset, or it is another server.
      if (isBack) return undefined;
    }
    const latest = this.#hasDates ? Number.NaN : latestPast(exchange);
    const ahead = latest - (end + this.#offset + slack);
    if (ahead > 0) {
      this.#offset += ahead + slack;
      return undefined;
    }
    return { sentAt: start + this.#offset - slack, now: end + this.#offset + slack };
  }
}

/** Times of what has happened; `at` is that of an event. */
const past = /"(?:sent|delivered|bounced|complained|subscribed|unsubscribed)_at":"([^"]+)"|"at":"([^"]+)"/g;

/** The latest time in a response that says when something happened; NaN if there is none. */
function latestPast(exchange: Exchange): number {
  if (!isSuccess(exchange) || !exchange.text.includes('at":"')) return Number.NaN;
  let latest = Number.NaN;
  for (const [, own, event] of exchange.text.matchAll(past)) {
    const at = Date.parse(own ?? event ?? "");
    if (!(at <= latest)) latest = Number.isNaN(at) ? latest : at;
  }
  return latest;
}
