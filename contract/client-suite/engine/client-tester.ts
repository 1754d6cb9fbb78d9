import { type OperationId, operations } from "../../../generated/operations.ts";
import { NotVerified } from "../../engine/assert.ts";
import * as engine from "../../engine/check.ts";
import { pathOf } from "../../exchange.ts";
import { type Call, type Capabilities, missingOperation } from "../driver/protocol.ts";
import type { DriverSession } from "./driver-session.ts";
import { type CallOptions, type CallParts, makeCall, Observations } from "./make-call.ts";
import type { RecordedCall } from "./recorded-call.ts";
import { checkOutbox, checkOutput } from "./reply-checks.ts";

/** Calls a client, records the requests that the service receives, and checks each of them. */
export class ClientTester {
  readonly observed = new Observations();
  readonly #session: DriverSession;
  /** Whether another server was called, which records nothing. */
  #isElsewhere = false;

  constructor(session: DriverSession) {
    this.#session = session;
  }

  get capabilities(): Capabilities {
    return this.#session.capabilities;
  }

  /** Good practice that the client does not follow, which fails nothing. */
  get information(): Set<string> {
    return this.observed.information;
  }

  /** The base URL that the client sends requests to. */
  get baseUrl(): string {
    return this.#session.server.url;
  }

  get key(): string {
    return this.#session.service.key;
  }

  /**
   * Lets the client call an operation.
   * @throws NotVerified if the client does not have it, DriverError if the driver fails
   */
  async call(operation: OperationId, options: CallOptions = {}): Promise<RecordedCall> {
    this.mustHave(operation);
    return makeCall(await this.#session.driver(), operation, options, this.#parts);
  }

  /**
   * Calls an operation with another client, in a driver of its own. Its requests are recorded only if the base URL is that of this tester.
   * @throws as `call` does
   */
  async callAt(baseUrl: string, operation: OperationId, options: CallOptions = {}): Promise<RecordedCall> {
    this.mustHave(operation);
    if (baseUrl !== this.baseUrl) this.#isElsewhere = true;
    const driver = await this.#session.startDriver(baseUrl);
    try {
      return await makeCall(driver, operation, options, this.#parts);
    } finally {
      await driver.close();
    }
  }

  /** @throws NotVerified if the client does not have an operation */
  mustHave(...needed: OperationId[]): void {
    for (const operation of needed)
      if (!this.capabilities.operations.includes(operation))
        throw new NotVerified(`${missingOperation}${operation}.`);
  }

  /** Sends a request to the service itself, to prepare state or to read it. */
  async request(
    operation: OperationId,
    { path = {}, body }: Pick<Call, "path" | "body"> = {},
  ): Promise<{ status: number; json: unknown }> {
    const { method, path: template } = operations[operation];
    const { baseUrl, key } = this.#session.service;
    const response = await fetch(baseUrl + pathOf(template, path), {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as unknown };
  }

  /** Advances the clock of the service. */
  advance(milliseconds: number): Promise<void> {
    return this.#session.service.advance(milliseconds);
  }

  /** The messages that were sent or scheduled. */
  messages(): Promise<string[]> {
    return this.#session.service.messages();
  }

  /** What is checked at the end of every test case. */
  async finish(): Promise<void> {
    const messages = await this.messages();
    const last = this.observed.exchanges.at(-1);
    const findings = [checkOutbox(messages), checkOutput(this.#session.takeOutput(), this.key)];
    // Without a request, nothing passes.
    const hasSent = this.observed.requests > 0;
    this.observed.note(last, ...findings.filter(({ failure }) => hasSent || failure !== undefined));
    if (this.capabilities.printed === undefined)
      this.information.add(
        "The driver has no property printed: whether printing the client shows the API key is not tested.",
      );
  }

  /** @throws NotVerified if the client has sent no request, although it was to send one to the service */
  mustHaveSent(): void {
    if (this.observed.requests === 0 && !this.#isElsewhere)
      throw new NotVerified("The client sent no request.");
  }

  get #parts(): CallParts {
    const { server, service, silentCalls } = this.#session;
    return { server, key: service.key, observed: this.observed, silentCalls };
  }
}

export type ClientCheck = engine.Check<ClientTester>;

/** A test case of a client. */
export const testCase = engine.testCase<ClientTester>;

/** Defines a check of a client, like those of a server. */
export const check = engine.check<ClientTester>;

/** Checks whose cases start before the others, because they wait for the client. */
export const waiting = (checks: readonly ClientCheck[]): ClientCheck[] =>
  checks.map((one) => ({ ...one, waits: true }));
