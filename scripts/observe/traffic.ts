import type { Coverage } from "../../contract/observe/coverage.ts";
import type { Observer } from "../../contract/observe/observer.ts";
import { exchangeOf, type ObservedExchange } from "../../contract/observe/subjects.ts";

/** An exchange of a record, with its whole URL. */
export interface TrafficExchange extends Omit<ObservedExchange, "path"> {
  url: string;
}

/** Why an entry of a record is no exchange with a server. */
export type Ignored = "from a cache" | "without a request" | `lines ${string}`;

const version = /\/api\/v1(?=[/?#]|$)/;
const safe = ["GET", "HEAD", "OPTIONS", "TRACE"];

/** Passes on the exchanges with one server, and counts the others. */
export class Traffic {
  readonly #observer: Observer;
  readonly #coverage: Coverage | undefined;
  #baseUrl: string | undefined;
  /** What was ignored, and how often. */
  readonly ignoredAs = new Map<string, number>();
  #first: number | undefined;
  #last = 0;

  /** @param baseUrl without a slash at the end; default: that of the first URL with the version prefix */
  constructor(observer: Observer, baseUrl?: string, coverage?: Coverage) {
    this.#observer = observer;
    this.#coverage = coverage;
    this.#baseUrl = baseUrl;
  }

  add(given: TrafficExchange | Ignored): void {
    if (typeof given === "string") {
      this.#ignore(given);
      // It may have been any request.
      if (given !== "from a cache") this.#observer.forget();
      return;
    }
    this.#observer.credentials.add(given);
    const { url: recordedUrl, ...exchange } = given;
    // A user and a password belong to no path.
    const url = usualUrl(recordedUrl.replace(/^(https?:\/\/)[^/?#]*@/i, "$1"));
    const path = this.#pathOf(url);
    if (path === undefined || isPreflight(exchange)) {
      this.#ignore(path === undefined ? elsewhere : "preflights");
      return;
    }
    // Clients send no fragment: what a server makes of one is unspecified.
    if (path.search(version) !== 0 || path.includes("#")) {
      this.#ignore(elsewhere);
      // A control API may change anything.
      if (!safe.includes(exchange.method)) this.#observer.forget();
      return;
    }
    const { startedAt } = exchange;
    if (startedAt !== undefined) {
      this.#first = Math.min(this.#first ?? startedAt, startedAt);
      this.#last = Math.max(this.#last, startedAt + (exchange.milliseconds ?? 0));
    }
    const observed = { ...exchange, path };
    this.#observer.add(observed);
    this.#coverage?.add(exchangeOf(observed), observed.isCut);
  }

  #ignore(reason: string): void {
    this.ignoredAs.set(reason, (this.ignoredAs.get(reason) ?? 0) + 1);
  }

  get ignored(): number {
    return [...this.ignoredAs.values()].reduce((sum, times) => sum + times, 0);
  }

  get baseUrl(): string {
    return this.#baseUrl ?? "";
  }

  /** When the first exchange started, and how long the traffic took. */
  get period(): { startedAt: string; durationMilliseconds: number } {
    const first = this.#first ?? Date.now();
    return {
      startedAt: new Date(first).toISOString(),
      durationMilliseconds: Math.round(Math.max(0, this.#last - first)),
    };
  }

  #pathOf(url: string): string | undefined {
    if (url.startsWith("/")) return url;
    if (version.test(url)) this.#baseUrl ??= url.slice(0, url.search(version));
    const base = this.#baseUrl;
    return base !== undefined && url.startsWith(`${base}/`) ? url.slice(base.length) : undefined;
  }
}

const elsewhere = "other hosts or paths";

/** A URL with its scheme and host in lower case, without the port that the scheme has anyway. Paths and URLs without a host stay. */
const usualUrl = (url: string): string =>
  url.replace(/^(https?):\/\/[^/?#]*/i, (origin, scheme: string) =>
    origin.toLowerCase().replace(scheme.length === 5 ? /:443$/ : /:80$/, ""),
  );

/** Browsers send it by themselves, and a gateway responds to it. Not every record has its request headers. */
const isPreflight = ({ method, requestHeaders, responseHeaders }: Omit<TrafficExchange, "url">): boolean =>
  method === "OPTIONS" &&
  ("access-control-request-method" in requestHeaders || "access-control-allow-methods" in responseHeaders);
