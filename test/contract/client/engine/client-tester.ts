import { type OperationId, operations } from "../../../../generated/operations.ts";
import { NotVerified } from "../../engine/assert.ts";
import type { ResponseCheckTally } from "../../engine/outcome.ts";
import { pathOf } from "../../engine/path.ts";
import type { Exchange } from "../../exchange.ts";
import { missingOperation } from "../../report/read-result.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { type Call, type Capabilities, type Driver, DriverError } from "../driver/driver.ts";
import type { Disturbance, WireExchange } from "../service/wire.ts";
import { checkAttempts } from "./attempt-checks.ts";
import { Called } from "./called.ts";
import type { Lane } from "./lane.ts";
import { checkReply } from "./reply-checks.ts";
import { checkRequest } from "./request-checks.ts";
import { toExchange } from "./to-exchange.ts";

/** How a call is made. */
export interface CallOptions extends Omit<Call, "operation"> {
  /** What happens to its requests, one after the other; null lets a request pass. */
  disturb?: readonly (Disturbance | null)[];
  /** Milliseconds until the reply must be there, in addition to the timeout of the call; default: 10 s. */
  patience?: number;
}

const usualPatience = 10_000;

/** Calls a client, records the requests that the service receives, and checks each of them. */
export class ClientTester {
  readonly exchanges: Exchange[] = [];
  readonly responseChecks = new Map<string, ResponseCheckTally & { at: (Exchange | undefined)[] }>();
  /** Good practice that the client does not follow, which fails nothing. */
  readonly information = new Set<string>();
  readonly compared = new Set<string>();
  requests = 0;
  readonly #lane: Lane;

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  get capabilities(): Capabilities {
    return this.#lane.capabilities;
  }

  /** The base URL that the client sends requests to. */
  get baseUrl(): string {
    return this.#lane.server.url;
  }

  get key(): string {
    return this.#lane.service.key;
  }

  /**
   * Lets the client call an operation.
   * @throws NotVerified if the client does not have it, DriverError if the driver fails
   */
  async call(operation: OperationId, options: CallOptions = {}): Promise<Called> {
    this.mustHave(operation);
    return this.#callOn(await this.#lane.driver(), operation, options);
  }

  /**
   * Calls an operation with another client, in a driver of its own. Its requests are recorded only if the base URL is that of this tester.
   * @throws as `call` does
   */
  async callAt(baseUrl: string, operation: OperationId, options: CallOptions = {}): Promise<Called> {
    this.mustHave(operation);
    const driver = await this.#lane.startDriver(baseUrl);
    try {
      return await this.#callOn(driver, operation, options);
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
    const { baseUrl, key } = this.#lane.service;
    const response = await fetch(baseUrl + pathOf(template, path), {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as unknown };
  }

  /** Advances the clock of the service. */
  advance(milliseconds: number): Promise<void> {
    return this.#lane.service.advance(milliseconds);
  }

  /** The messages that were sent or scheduled. */
  messages(): Promise<string[]> {
    return this.#lane.service.messages();
  }

  /** What is checked at the end of every test case. */
  async finish(): Promise<void> {
    const messages = await this.messages();
    const twice = messages.find((message, index) => messages.indexOf(message) !== index);
    const last = this.exchanges.at(-1);
    this.#note(
      finding(["IDEM-5"], "nothing is sent twice", twice === undefined, {
        expected: "each message once in the outbox",
        found: `${messages.filter((message) => message === twice).length} equal messages: ${twice}`,
      }),
      last,
    );
  }

  async #callOn(driver: Driver, operation: OperationId, options: CallOptions): Promise<Called> {
    const { disturb = [], patience = usualPatience, ...more } = options;
    const call: Call = { operation, ...more };
    const { server } = this.#lane;
    server.disturb(disturb);
    const startedAt = performance.now();
    const reply = await driver.call(call, patience + (call.timeout ?? 0));
    const milliseconds = performance.now() - startedAt;
    const wire = server.take();
    if (reply === undefined && wire.length === 0)
      throw new DriverError(
        `The driver sent no request and wrote no reply to ${JSON.stringify(call).slice(0, 300)} within ${Math.round(milliseconds)} ms.`,
      );
    const called = new Called({ call, reply, wire, milliseconds, exchanges: this.#keep(wire, call, reply) });
    const last = called.exchanges.at(-1);
    for (const found of checkAttempts(wire, call, driver.capabilities)) this.#note(found, last);
    for (const found of checkReply(reply, wire, call)) this.#note(found, last);
    // Also what the driver wrote at its start or after its last reply, such as a line of a log.
    this.#checkOutput(driver.takeOutput() + (driver.capabilities.printed ?? ""), last);
    return called;
  }

  #keep(wire: readonly WireExchange[], call: Call, reply: unknown): Exchange[] {
    this.requests += wire.length;
    const { key } = this;
    return wire.map((one) => {
      const exchange = toExchange(one, call, reply, key);
      this.exchanges.push(exchange);
      for (const found of checkRequest(one.request, call, key)) this.#note(found, exchange);
      return exchange;
    });
  }

  #checkOutput(output: string, exchange: Exchange | undefined): void {
    this.#note(
      finding(
        ["AUTH-6"],
        "the output of the client does not contain the API key",
        !output.includes(this.key),
        {
          expected: "output without the API key",
          found: "the API key in a line of the driver: in an error, a log or the printed client",
        },
      ),
      exchange,
    );
  }

  #note({ ids, title, failure }: ResponseFinding, exchange: Exchange | undefined): void {
    const tally = this.responseChecks.get(title) ?? { ids, title, responses: 0, failures: [], at: [] };
    this.responseChecks.set(title, tally);
    tally.responses += 1;
    if (failure === undefined) return;
    tally.failures.push({ ...failure, exchange: null });
    tally.at.push(exchange);
  }
}
