import { operations } from "../../generated/operations.ts";
import { jsonOf } from "../../lib/objects.ts";
import { Attempts } from "../engine/attempts.ts";
import { Unreachable } from "../engine/http.ts";
import { type Exchange, isSuccess, requestName } from "../exchange.ts";
import { isOutside } from "../plan.ts";
import { checkResponse } from "../response-checks/check-response.ts";
import { faultsIn } from "../response-checks/faults.ts";
import { operationsOfRequirement } from "../selection.ts";
import { compare, compareBody } from "./compare.ts";
import { Credentials } from "./credentials.ts";
import type { KnownKey } from "./keys.ts";
import { forget } from "./learn.ts";
import { compareLimits, forgetLimits } from "./limits.ts";
import { checkRequest, isDocumentedPath } from "./requests.ts";
import { type ObserverOptions, ObserverState, typeOf } from "./state.ts";
import {
  allowanceName,
  exchangeOf,
  isOwnName,
  type ObservedExchange,
  operationOf,
  subjectOf,
  subjectsOf,
} from "./subjects.ts";
import { Tally } from "./tally.ts";
import { type Timed, Window } from "./window.ts";

interface Pending extends Timed {
  observed: ObservedExchange;
  key: KnownKey | undefined;
}

/** Finds out from traffic which requirements a server meets. It takes exchanges one by one, in any order within a window. */
export class Observer {
  /** Every value that was a credential in the traffic, and the keys: no report has them. */
  readonly credentials: Credentials;
  /** What single exchanges show. After the end, it includes what several exchanges show together. */
  readonly tally: Tally;
  readonly attempts = new Attempts();
  /** What the record lacks of exchanges, and of how many. */
  readonly incompleteAs = new Map<string, number>();
  readonly #state: ObserverState;
  readonly #window: Window<Pending>;
  readonly #notUsed = new Set<string>(Object.keys(operations));
  #hasKeys = false;
  readonly #counts = {
    /** Below the version prefix, with and without a response of the server. */
    exchanges: 0,
    /** Those with paths that the document does not have. */
    undocumented: 0,
    /** Those of which the record lacks something, see `incompleteAs`. */
    incomplete: 0,
    /** Those with the status of a gateway, or without a response. */
    unanswered: 0,
    /** Those about something that another request in progress was about too, as far as their times are precise enough to tell. */
    concurrent: 0,
  };

  constructor(options: ObserverOptions = {}) {
    this.credentials = new Credentials(options);
    const { redact } = this.credentials;
    this.tally = new Tally(redact);
    this.#state = new ObserverState(options, new Tally(redact));
    this.#window = new Window((pending, concurrent) => this.#judge(pending, concurrent), options.held);
  }

  add(observed: ObservedExchange): void {
    this.#counts.exchanges += 1;
    this.#hasKeys ||= observed.requestHeaders.authorization !== undefined;
    const { startedAt = Number.NaN, milliseconds = Number.NaN, precision = 0, connection } = observed;
    const key = this.#state.keys.of(observed.requestHeaders.authorization);
    const subjects = subjectsOf(observed, key);
    const isUpsert = operationOf(observed) === "upsertContact" && mayHaveChanged(observed);
    if (isUpsert && !subjects.some((name) => name.startsWith("contact ")))
      this.#state.areContactsKnown = false;
    this.#window.add({
      observed,
      key,
      start: Number.isNaN(milliseconds) ? milliseconds : startedAt - precision,
      end: startedAt + milliseconds + precision,
      connection,
      subjects,
      bytes: 2000 + (observed.requestBody?.length ?? 0) + observed.responseBody.length,
    });
  }

  /** Compares what is still held. */
  end(): void {
    this.#window.flush();
    // Browsers and other tools remove the keys from a record: then nothing says which requests had none.
    if (!this.#hasKeys) this.tally.drop("AUTH-12");
    // Too far out of order: an exchange that came too late may explain what was found before.
    if (this.#window.late === 0) this.tally.include(this.#state.tally);
    // A requirement is not about the traffic if all of its operations are others.
    for (const id of this.tally.passes.keys()) {
      const own = operationsOfRequirement(id);
      const isOfAll = own.length === Object.keys(operations).length;
      if (!isOfAll && isOutside(own, [...this.#notUsed])) this.tally.passes.delete(id);
    }
  }

  get hasFailed(): boolean {
    return this.tally.failures.size + this.#state.tally.failures.size > 0;
  }

  /**
   * Forgets everything that requests led to: something unknown may have changed the server, or started it again.
   * @param isReset whether the server has forgotten it, too; otherwise earlier messages may count later
   */
  forget(isReset = false): void {
    this.#window.flush();
    this.#state.clear(isReset);
    this.#state.requestIds.clear();
  }

  /** How many exchanges of which kind there were, with how many keys. */
  get counts() {
    const { size: keys, configured: configuredKeys } = this.#state.keys;
    return { ...this.#counts, late: this.#window.late, keys, configuredKeys };
  }

  #judge(pending: Pending, concurrent: ReadonlySet<string>): void {
    const { key } = pending;
    const exchange = exchangeOf(pending.observed);
    const lacking = lackingIn(pending.observed, exchange);
    const isCut = lacking.some((part) => part === "a readable body" || part === "response headers");
    const observed = { ...pending.observed, ...(isCut && { isCut }) };
    if (exchange.request.operation === undefined && !isDocumentedPath(observed.path))
      this.#counts.undocumented += 1;
    if (key?.isConfigured === false && isSuccess(exchange)) this.#state.keys.areAllKnown = false;
    const isGivenUp = observed.status === 0 && observed.isCut === true;
    if (lacking.length > 0) this.#counts.incomplete += 1;
    for (const part of lacking) this.incompleteAs.set(part, (this.incompleteAs.get(part) ?? 0) + 1);
    const hasResponse = hasOwnResponse(exchange);
    if (hasResponse) this.#notUsed.delete(exchange.request.operation ?? "");
    else this.#counts.unanswered += 1;
    const { status } = observed;
    const reason = status === 0 ? "no response in the traffic" : `status ${status} of a gateway`;
    const problem = hasResponse ? undefined : new Unreachable(reason);
    if (exchange.request.operation !== undefined && !isGivenUp)
      this.attempts.note(requestName(exchange.request).name, problem);
    // The response to HEAD has no body.
    if (hasResponse && observed.isCut !== true && observed.method !== "HEAD") {
      if (this.#state.requestIds.isRepeated(exchange)) return;
      this.#checkAlone(exchange, key);
    }
    this.#compare(exchange, { ...pending, observed }, concurrent);
  }

  /** Compares an exchange with those before it that are about the same, and learns from it. */
  #compare(exchange: Exchange, { observed, key, start, end }: Pending, concurrent: ReadonlySet<string>) {
    const state = this.#state;
    const subject = subjectOf(exchange, key, state.keys.areAllKnown);
    if (subject === undefined) {
      if (key !== undefined) state.account(key.account).rated = undefined;
      // It may have been a request of any account.
      else if (areUnknown(observed.requestHeaders)) state.clear(false);
      return;
    }
    const time = state.clock.timeOf(exchange, start, end);
    if (time === undefined) state.clear(true);
    // The API key alone leads to such a response, whatever else is in progress.
    const isOfKey = [401, 402, 403].includes(exchange.status) && typeOf(exchange) !== "send_rejected";
    const isConcurrent = !isOfKey && [...concurrent].some(isOwnName);
    if (isConcurrent) this.#counts.concurrent += 1;
    const { body, idempotencyKey } = subject;
    const hasResponse = hasOwnResponse(exchange);
    const isComplete = observed.isCut !== true && !Number.isNaN(start);
    // Whether an empty idempotency key is one is unspecified.
    const isKeyUsual = idempotencyKey !== "";
    const isKnown = isComplete && isKeyUsual && time !== undefined && body !== undefined && hasResponse;
    const { precision = 0 } = observed;
    const observation = isKnown ? { ...subject, body, exchange, time, concurrent, precision } : undefined;
    if (observation !== undefined && !isConcurrent) {
      compare(state, observation);
      compareLimits(state, observation);
      return;
    }
    if (observation !== undefined) compareBody(state, observation);
    if (concurrent.has(allowanceName(subject)))
      state.account(subject.key.account).concurrentAt = time?.now ?? exchange.startedAt;
    const hasChanged = mayHaveChanged(exchange);
    forgetLimits(state, subject.key, hasChanged ? exchange : undefined);
    if (hasChanged || subject.operation !== "getEmail") forget(state, subject);
  }

  /** Checks what an exchange shows by itself. */
  #checkAlone(exchange: Exchange, key: KnownKey | undefined): void {
    const before = this.#state.requestIds.before(exchange);
    const { findings, information } = checkResponse(exchange, this.#state.requestIds);
    exchange.faults = faultsIn(findings);
    const isKnown = !areUnknown(exchange.sent.headers);
    const ofRequest = isKnown ? checkRequest(exchange, key, this.#state.notImplemented) : [];
    for (const { ids, title, failure } of [...findings, ...ofRequest])
      if (failure === undefined) this.tally.pass(ids);
      else this.tally.fail(ids, title, failure, ids.includes("HEAD-2") ? [...before, exchange] : [exchange]);
    for (const text of information) this.tally.inform(text);
  }
}

/** What the record lacks of an exchange. Without a response, `isCut` says that the client gave the request up. */
const lackingIn = ({ status, isCut, ...one }: ObservedExchange, exchange: Exchange): string[] =>
  Object.entries({
    "request headers": areUnknown(one.requestHeaders),
    "response headers": status !== 0 && areUnknown(one.responseHeaders),
    "a readable body": (isCut === true && status !== 0) || isTooDeep(exchange) || isNotModified(exchange),
    "a start": one.startedAt === undefined,
    "a duration": one.milliseconds === undefined,
  }).flatMap(([part, isLacking]) => (isLacking ? part : []));

/** Every request and every response has headers: a record without any lacks them. */
const areUnknown = (headers: Record<string, string>): boolean => Object.keys(headers).length === 0;

/** Whether the body of a response is JSON, but nested in more levels than anything reads. */
const isTooDeep = ({ json, text }: Exchange): boolean =>
  json === undefined && jsonOf(text, Number.POSITIVE_INFINITY) !== undefined;

/** Whether a response has no body because the client has it already: RFC 9110, 15.4.5. */
const isNotModified = ({ status, request, sent }: Exchange): boolean =>
  status === 304 &&
  /^(GET|HEAD)$/.test(request.method) &&
  (areUnknown(sent.headers) || "if-none-match" in sent.headers || "if-modified-since" in sent.headers);

/** Whether the server itself responded. Otherwise a gateway, a proxy or the client made up the status. */
const hasOwnResponse = ({ status }: { status: number }) => status >= 200 && status !== 502 && status !== 504;

/** Whether a request may have changed something. */
const mayHaveChanged = (exchange: { status: number }) => isSuccess(exchange) || !hasOwnResponse(exchange);
