import { document, headerName } from "../document.ts";
import { type Deadlines, defaultDeadlines, type Fixtures, type Settings } from "../engine/settings.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import { checkResponse } from "../response-checks/check-response.ts";
import { compare, compareBody } from "./compare.ts";
import { Keys, type KnownKey } from "./keys.ts";
import { Knowledge, type ObserverContext } from "./knowledge.ts";
import { forget, shortened } from "./learn.ts";
import { compareLimits, forgetLimits } from "./limits.ts";
import { redactorFor } from "./mask.ts";
import { checkRequest, isDocumentedPath } from "./requests.ts";
import { exchangeOf, type ObservedExchange, ownNamesOf, subjectOf, subjectsOf } from "./subjects.ts";
import { Tally } from "./tally.ts";
import { ServerClock, type Timed, Window } from "./window.ts";

export interface ObserverOptions {
  /** The keys of a configuration, with their roles. */
  keys?: Settings["keys"];
  fixtures?: Fixtures;
  deadlines?: Deadlines;
  /** Whether the traffic has all requests to the accounts in it, and nobody else changes what they have: a test system. */
  isAllTraffic?: boolean;
  /** The most exchanges that are held to put them in order; default: 8192. */
  held?: number;
}

interface Pending extends Timed {
  observed: ObservedExchange;
  key: KnownKey | undefined;
}

/** Finds out from traffic which requirements a server meets. Exchanges come one by one, in any order within a window. */
export class Observer {
  /** What single exchanges show. After the end, it includes what several exchanges show together. */
  readonly tally = new Tally();
  readonly #across = new Tally();
  readonly #keys: Keys;
  readonly #context: ObserverContext;
  readonly #clock = new ServerClock();
  readonly #ids = new RequestIds();
  readonly #window: Window<Pending>;
  #hasKeys = false;
  /** Exchanges below the version prefix, with and without a response of the server. */
  exchanges = 0;
  /** Those with paths that the document does not have. */
  undocumented = 0;
  /** Those whose body is not complete in the record, or whose time is missing. */
  incomplete = 0;
  /** Those with the status of a gateway, or without a response. */
  unanswered = 0;
  /** Those about something that another request in progress was about too. */
  concurrent = 0;

  constructor({
    keys = {},
    fixtures = {},
    deadlines = defaultDeadlines,
    isAllTraffic = false,
    held,
  }: ObserverOptions = {}) {
    this.#keys = new Keys(keys);
    const knowledge = new Knowledge();
    const tally = this.#across;
    const known = this.#keys;
    this.#context = {
      knowledge,
      tally,
      fixtures,
      deadlines,
      get isAllTraffic() {
        return isAllTraffic && known.areAllKnown;
      },
    };
    this.#window = new Window((pending, crowded) => this.#judge(pending, crowded), held);
  }

  add(observed: ObservedExchange): void {
    this.exchanges += 1;
    this.#hasKeys ||= observed.requestHeaders.authorization !== undefined;
    const { startedAt = Number.NaN, milliseconds = Number.NaN } = observed;
    const start = startedAt;
    const key = this.#keys.of(observed.requestHeaders.authorization);
    this.#window.add({
      observed,
      key,
      start,
      end: start + milliseconds,
      subjects: subjectsOf(observed, key, this.#keys.areAllKnown),
      bytes: 2000 + (observed.requestBody?.length ?? 0) + observed.responseBody.length,
    });
  }

  /** Compares what is still held. */
  end(): void {
    this.#window.flush();
    // Browsers and other tools remove the keys from a record: then nothing says which requests had none.
    if (!this.#hasKeys) this.tally.drop("AUTH-12");
    // Too far out of order: an exchange that came too late may explain what was found before.
    if (this.late === 0) this.tally.include(this.#across);
  }

  /** Whether a failure was found so far. */
  get hasFailed(): boolean {
    return this.tally.failures.size + this.#across.failures.size > 0;
  }

  /** Forgets everything that requests led to: something unknown may have changed the server, or started it again. */
  forget(): void {
    this.#window.flush();
    this.#context.knowledge.clear();
    this.#ids.clear();
  }

  get keys(): number {
    return this.#keys.size;
  }

  get configuredKeys(): number {
    return this.#keys.configured;
  }

  get late(): number {
    return this.#window.late;
  }

  #judge({ observed, key, start, end }: Pending, crowded: ReadonlySet<string>): void {
    const exchange = exchangeOf(observed);
    if (exchange.request.operation === undefined && !isDocumentedPath(observed.path)) this.undocumented += 1;
    const redact = (text: string): string => redactorFor({ url: observed.path, ...observed })(text);
    this.tally.redact = redact;
    this.#across.redact = redact;
    if (key !== undefined && isSuccess(exchange)) this.#keys.use(key);
    const subject = subjectOf(exchange, key, this.#keys.areAllKnown);
    const isIncomplete = observed.isCut === true || Number.isNaN(start);
    if (isIncomplete) this.incomplete += 1;
    // The server did not respond: a proxy or the client did.
    const hasResponse = exchange.status >= 200 && !isOfGateway(exchange.status);
    if (!hasResponse) this.unanswered += 1;
    // The response to HEAD has no body.
    if (hasResponse && observed.isCut !== true && observed.method !== "HEAD") {
      if (this.#ids.isRepeated(exchange)) return;
      this.#checkAlone(exchange, key);
    }
    if (subject === undefined) return;
    const time = this.#clock.timeOf(exchange, start, end);
    if (time === undefined) this.#context.knowledge.clear();
    const isCrowded =
      crowded.size > 0 && !isOfKey(exchange) && ownNamesOf(subject).some((name) => crowded.has(name));
    if (isCrowded) this.concurrent += 1;
    const { body, idempotencyKey } = subject;
    // Whether an empty idempotency key is one is unspecified.
    const isKeyUsual = idempotencyKey !== "";
    const isKnown = !isIncomplete && isKeyUsual && time !== undefined && body !== undefined && hasResponse;
    const observation = isKnown && { ...subject, body, exchange, time, crowded };
    if (observation === false || isCrowded) {
      if (observation !== false) compareBody(this.#context, observation);
      forgetLimits(this.#context, subject.key, isSuccess(exchange) || !hasResponse ? exchange : undefined);
      if (isSuccess(exchange) || !hasResponse || subject.operation !== "getEmail")
        forget(this.#context, subject);
      return;
    }
    compare(this.#context, observation);
    compareLimits(this.#context, observation);
  }

  /** Checks what an exchange shows by itself. */
  #checkAlone(exchange: Exchange, key: KnownKey | undefined): void {
    const { findings, information } = checkResponse(exchange, this.#ids);
    for (const { ids, title, failure } of findings)
      if (failure === undefined) this.tally.pass(ids);
      else this.tally.fail(ids, title, failure, [shortened(exchange)]);
    for (const text of information) this.tally.inform(text);
    checkRequest(this.tally, exchange, key);
  }
}

/** Whether the API key alone leads to a response, whatever else is in progress. */
const isOfKey = (exchange: Exchange): boolean =>
  [401, 402, 403].includes(exchange.status) && errorOf(exchange)?.type !== "send_rejected";

/** Whether a gateway may have sent the response in place of the server. */
const isOfGateway = (status: number): boolean => status === 502 || status === 504;

const header = headerName(document, "ServiceRequestId").toLowerCase();

/** The most ids of each of the two sets. */
const most = 100_000;

/** The request ids of the last responses: not all of them, so that memory is bounded. */
class RequestIds {
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #now = 0;

  /** Whether the same exchange was seen before, in another record of the same traffic. */
  isRepeated({ headers, startedAt }: Exchange): boolean {
    const id = headers[header];
    this.#now = startedAt;
    if (id === undefined) return false;
    return startedAt > 0 && (this.#recent.get(id) ?? this.#older.get(id)) === startedAt;
  }

  has(id: string): boolean {
    return this.#recent.has(id) || this.#older.has(id);
  }

  clear(): void {
    this.#recent.clear();
    this.#older.clear();
  }

  add(id: string): void {
    this.#recent.set(id, this.#now);
    if (this.#recent.size < most) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }
}
