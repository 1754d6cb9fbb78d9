import { requirements } from "../../generated/requirements.ts";
import { mapValues } from "../../lib/objects.ts";
import { recordText } from "../engine/outcome.ts";
import { redacted } from "../engine/secrets.ts";
import type { Exchange, Fault } from "../exchange.ts";
import { faultBehind } from "../response-checks/faults.ts";
import { harmlessUrl, isHarmless } from "./credentials.ts";

/** Something in the traffic that violates requirements. */
export interface ObservedFailure {
  ids: readonly string[];
  /** What the response was compared with. */
  title: string;
  times: number;
  /** Of the first one. */
  expected: string;
  found: string;
  /** What is wrong with the response, the same text for failures with the same cause. */
  cause?: string;
  /** Those that show it; the last of them violates. */
  exchanges: readonly Exchange[];
}

/** The most different failures that are kept. */
const maxFailures = 500;

/** Counts what was compared, so that a long record of traffic needs no more memory than a short one. */
export class Tally {
  readonly passes = new Map<string, number>();
  readonly failures = new Map<string, ObservedFailure>();
  readonly information = new Set<string>();
  readonly #redact: (text: string) => string;

  /** @param redact redacts every credential of the traffic so far: no failure has them */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  pass(ids: readonly string[]): void {
    for (const id of ids) this.passes.set(id, (this.passes.get(id) ?? 0) + 1);
  }

  fail(
    ids: readonly string[],
    title: string,
    { expected, found, fault }: { expected: string; found: string; fault?: Fault },
    exchanges: readonly Exchange[],
  ): void {
    // What no requirement determines is unspecified.
    const known = [...new Set(ids)].filter((id) => id in requirements);
    if (known.length === 0) return;
    const { cause } = fault ?? faultBehind(exchanges.at(-1) ?? {}, `${expected} ${found}`) ?? {};
    // What has another cause is another failure.
    const name = `${known.join(" ")} ${title} ${cause}`;
    const failure = this.failures.get(name);
    if (failure !== undefined) failure.times += 1;
    else if (this.failures.size < maxFailures)
      this.failures.set(name, {
        ids: known,
        title,
        times: 1,
        expected: recordText(expected, this.#redact),
        found: recordText(found, this.#redact),
        ...(cause && { cause: recordText(cause, this.#redact) }),
        exchanges: exchanges.map((one) => redactedExchange(shortened(one), this.#redact)),
      });
  }

  inform(text: string): void {
    if (this.information.size < maxFailures) this.information.add(text);
  }

  /** Forgets what was counted for a requirement alone. */
  drop(id: string): void {
    this.passes.delete(id);
    for (const [name, { ids }] of this.failures)
      if (ids.every((one) => one === id)) this.failures.delete(name);
  }

  include(other: Tally): void {
    for (const [id, times] of other.passes) this.passes.set(id, (this.passes.get(id) ?? 0) + times);
    // What a response shows by itself needs no other.
    for (const [name, failure] of other.failures) this.failures.set(name, this.failures.get(name) ?? failure);
  }
}

/** Characters. */
const longestText = 2000;
const cut = (whole: string): string => recordText(whole, (text) => text, longestText);

/** An exchange as evidence: long bodies are cut. Credentials are removed before anything is kept of a failure, also one that is cut. */
export function shortened(exchange: Exchange): Exchange {
  const { request, sent, text } = exchange;
  const { body: _, rawBody: __, ...plain } = request;
  const sentText = sent.text === undefined ? undefined : cut(sent.text);
  return { ...exchange, request: plain, sent: { ...sent, text: sentText }, text: cut(text), json: undefined };
}

/** An exchange with what is known to be harmless, and without any credential in it. */
function redactedExchange(exchange: Exchange, clean: (text: string) => string): Exchange {
  const { sent, headers, request, faults: _, ...rest } = exchange;
  const cleanHeaders = (given: Record<string, string>): Record<string, string> =>
    mapValues(given, (value, name) => (isHarmless(name) ? clean(value) : redacted));
  return {
    ...rest,
    request: { ...request, path: clean(harmlessUrl(request.path)) },
    sent: { headers: cleanHeaders(sent.headers), text: sent.text && clean(sent.text) },
    headers: cleanHeaders(headers),
    text: clean(exchange.text),
  };
}
