import { type OperationId, operations } from "../../../generated/operations.ts";
import { decoded } from "../../../lib/text.ts";
import { NotVerified } from "../../engine/assert.ts";
import * as engine from "../../engine/check.ts";
import { Observations } from "../../engine/outcome.ts";
import { type Fault, pathOf } from "../../exchange.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { shown } from "../../text.ts";
import { type Call, type Capabilities, type Driver, DriverError, flushQuestion } from "../driver/protocol.ts";
import type { Disturbance, WireRequest } from "../service/recording-server.ts";
import { adviseAttempts, adviseErrors, checkAttempts } from "./attempt-checks.ts";
import type { DriverSession, Service } from "./driver-session.ts";
import { causesOfRejection, RecordedCall, toExchange } from "./recorded-call.ts";
import { checkOutbox, checkOutput, checkReply, isInFirstLine } from "./reply-checks.ts";
import { checkRequest } from "./request-checks.ts";

export interface CallOptions extends Omit<Call, "operation"> {
  /** What happens to its requests, one after the other; */
  disturb?: readonly Disturbance[];
  /** Milliseconds until the reply must be there, in addition to the timeout of the call; default: 10 s. */
  replyTimeout?: number;
  /** The requirement that the result violates if it differs from the response; default: that of the operation. Null: it is not compared. */
  comparedAs?: string | null;
}

export const usualTimeout = 10_000;

/** Calls a client, records the requests that the service receives, and checks each of them. */
export class ClientTester extends Observations {
  readonly service: Service;
  /** All that were recorded. */
  readonly calls: RecordedCall[] = [];
  readonly #session: DriverSession;
  /** Whether another server was called, which records nothing. */
  #isElsewhere = false;

  constructor(session: DriverSession) {
    super();
    this.service = session.service;
    this.#session = session;
  }

  get capabilities(): Capabilities {
    return this.#session.capabilities;
  }

  get baseUrl(): string {
    return this.#session.server.url;
  }

  /** Lets the client call an operation. @throws NotVerified if the client does not have it, DriverError if the driver fails */
  async call(operation: OperationId, options: CallOptions = {}): Promise<RecordedCall> {
    this.assertHas(operation);
    return this.#call(await this.#session.driver(), operation, options);
  }

  /**
   * Lets the client make calls with different paths at the same time. Its driver may process one after the other.
   * @throws as `call` does
   */
  async callAtOnce(calls: readonly Call[], disturb: readonly Disturbance[]): Promise<RecordedCall[]> {
    for (const { operation } of calls) this.assertHas(operation);
    return this.#calls(await this.#session.driver(), calls, { disturb });
  }

  /**
   * Calls an operation with another client, in a driver of its own. Its requests are recorded only if the base URL is that of this tester.
   * @throws as `call` does
   */
  async callAt(baseUrl: string, operation: OperationId, options: CallOptions = {}): Promise<RecordedCall> {
    this.assertHas(operation);
    if (baseUrl !== this.baseUrl) this.#isElsewhere = true;
    const driver = await this.#session.startDriver(baseUrl);
    try {
      return await this.#call(driver, operation, options);
    } finally {
      await driver.close();
    }
  }

  /** @throws NotVerified if the client does not have an operation */
  assertHas(operation: OperationId): void {
    if (!this.capabilities.operations.includes(operation))
      throw new NotVerified(`The driver does not have the operation ${operation}.`, { needs: [operation] });
  }

  /** Sends a request to the service itself, to prepare state. @returns the body of the response */
  async request(operation: OperationId, { path = {}, body }: Pick<Call, "path" | "body"> = {}) {
    const { method, path: template } = operations[operation];
    const { baseUrl, key } = this.service;
    const response = await fetch(baseUrl + pathOf(template, path), {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, string>;
  }

  /** What is checked at the end of every test case. */
  async finish(): Promise<void> {
    const messages = await this.service.messages();
    const findings = [checkOutbox(messages), checkOutput(this.#session.takeOutput(), this.service.key)];
    // Without a request, nothing passes.
    const hasSent = this.requests > 0;
    this.note(this.exchanges.at(-1), ...findings.filter(({ failure }) => hasSent || failure !== undefined));
    if (this.capabilities.printed === undefined)
      this.information.add(
        "The driver has no property printed: whether printing the client shows the API key is not tested.",
      );
  }

  /** @throws NotVerified if the client has sent no request, although it was to send one to the service */
  assertHasSent(): void {
    if (this.requests === 0 && !this.#isElsewhere) throw new NotVerified("The client sent no request.");
  }

  /** Lets a driver call an operation, and checks the requests and the reply. */
  async #call(driver: Driver, operation: OperationId, options: CallOptions): Promise<RecordedCall> {
    const { disturb: _, replyTimeout: __, comparedAs: ___, ...more } = options;
    const [called] = await this.#calls(driver, [{ operation, ...more }], options);
    return called as RecordedCall;
  }

  async #calls(
    driver: Driver,
    calls: readonly Call[],
    { disturb = [], replyTimeout = usualTimeout, comparedAs }: CallOptions,
  ): Promise<RecordedCall[]> {
    const { server, silentCalls } = this.#session;
    server.disturb(disturb);
    const startedAt = performance.now();
    const deadline = replyTimeout + (calls[0]?.timeout ?? 0);
    const replies = await Promise.all(calls.map((call) => driver.call(call, deadline))).catch((error) => {
      silentCalls.note(performance.now() - startedAt >= deadline);
      throw error;
    });
    const milliseconds = performance.now() - startedAt;
    await server.settle();
    const all = server.take();
    const isSilent = all.length === 0 && replies.every((reply) => reply === undefined);
    silentCalls.note(isSilent);
    if (isSilent) throw silentError(calls[0] as Call, milliseconds);
    return calls.map((call, index) => {
      const wire = calls.length === 1 ? all : all.filter(({ request }) => isFor(call, request));
      return this.#record(driver, { call, reply: replies[index], wire, milliseconds, comparedAs });
    });
  }

  #record(driver: Driver, { call, reply, wire, milliseconds, comparedAs }: MadeCall): RecordedCall {
    const { key } = this.service;
    const { capabilities } = driver;
    const advice = [...adviseAttempts(wire, call), ...adviseErrors(reply, capabilities)];
    for (const one of advice) this.information.add(one);
    const causes = new Set<string>();
    const exchanges = wire.map((one, index) => {
      const exchange = toExchange(one, { call, reply, before: wire.slice(0, index) }, key);
      const findings = [...checkRequest(one.request, call, key, capabilities)];
      exchange.faults = faultsIn("request", findings);
      this.exchanges.push(exchange);
      this.requests += 1;
      this.note(exchange, ...findings);
      for (const id of causesOfRejection(one, call, findings)) causes.add(id);
      return exchange;
    });
    const last = exchanges.at(-1);
    const attempts = [...checkAttempts(wire, call, capabilities)];
    if (last) last.faults = [...(last.faults ?? []), ...faultsIn("call", attempts)];
    this.note(last, ...attempts, ...checkReply(reply, wire, call, comparedAs));
    // Also what the driver wrote at its start or after its last reply, such as a line of a log.
    const output = driver.takeOutput();
    const found = checkOutput(output, key);
    // Without a request, nothing passes.
    if (wire.length > 0 || found.failure !== undefined)
      this.note(isInFirstLine(output, key) ? undefined : last, found);
    const recorded = new RecordedCall({ call, reply, wire, exchanges, milliseconds, causes: [...causes] });
    this.calls.push(recorded);
    return recorded;
  }
}

/** What a request or a call lacks: other checks can fail for it. */
const faultsIn = (what: string, findings: readonly ResponseFinding[]): Fault[] =>
  findings.flatMap(({ ids, title, failure }) =>
    failure && title.startsWith("has ") ? [{ cause: `Not every ${what} ${title}`, names: ids }] : [],
  );

/** Only the end of a path tells the calls apart: a client may send another one before it. */
const isFor = ({ operation, path = {} }: Call, { target }: WireRequest): boolean => {
  const [end = ""] = /\/[^/]*$/.exec(pathOf(operations[operation].path, path)) ?? [];
  return decoded(target)?.endsWith(decoded(end) ?? end) === true;
};

interface MadeCall extends Pick<RecordedCall, "call" | "reply" | "wire" | "milliseconds"> {
  comparedAs: CallOptions["comparedAs"];
}

const silentError = (call: Call, milliseconds: number): DriverError =>
  new DriverError(
    [
      `The driver sent no request and wrote no reply within ${Math.round(milliseconds / 1000)} s.`,
      `In the call ${shown(call, 300)}`,
      flushQuestion,
    ].join("\n"),
  );

export type ClientCheck = engine.Check<ClientTester>;

export const testCase = engine.testCase<ClientTester>;

/** Defines a check of a client, like those of a server. */
export const check = engine.check<ClientTester>;

/** Checks whose cases start before the others, because they wait for the client. */
export const waiting = (checks: readonly ClientCheck[]) => checks.map((one) => ({ ...one, waits: true }));
