import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import clientPackage from "../../../client/package.json" with { type: "json" };
import { type ClientOptions, createClient } from "../../../client/src/index.ts";
import {
  type Call,
  type Capabilities,
  type Driver,
  protocolVersion,
  type Reply,
  readCapabilities,
  readReply,
  type StartDriver,
} from "../../../contract/client-suite/driver/protocol.ts";
import { type OperationId, operations } from "../../../generated/operations.ts";
import type { ClientContext, CreateDifference } from "../difference.ts";
import { errorOf } from "./error-of.ts";
import { fetchWith } from "./fetch.ts";
import { callOperation } from "./operations.ts";

/** Starts drivers of the project's own client in this process: it differs as given, else it is correct. */
export const inProcessDriver =
  (create: CreateDifference = () => ({})): StartDriver =>
  async (start) =>
    new InProcessDriver(start, create);

class InProcessDriver implements Driver {
  readonly capabilities: Capabilities;
  readonly #reply: (call: Call) => Promise<Reply>;
  readonly #closed = new AbortController();
  #call: Call = { operation: "getMe" };
  #calls = 0;
  #output = "";

  constructor(start: Pick<ClientOptions, "key"> & { baseUrl: string }, create: CreateDifference) {
    const context: ClientContext = {
      ...start,
      call: () => this.#call,
      log: (text) => this.#keep(text),
      signal: this.#closed.signal,
    };
    const difference = create(context);
    const client = createClient({ ...start, fetch: fetchWith(difference, context), ...difference.options });
    this.capabilities = this.#ready({ printed: inspect(client), ...difference.capabilities });
    const next = async ({ operation, idempotencyKey, timeout, ...rest }: Call): Promise<Reply> => {
      const options = { idempotencyKey, timeout, signal: this.#closed.signal };
      try {
        return { result: await callOperation[operation](client, { operation, ...rest }, options) };
      } catch (error) {
        return { error: errorOf(error) };
      }
    };
    this.#reply = (call) => difference.call?.(call, next) ?? next(call);
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted;
  }

  async call(call: Call, replyTimeout: number): Promise<Reply | undefined> {
    this.#calls += 1;
    // As a driver that reads and writes lines.
    this.#call = JSON.parse(JSON.stringify(call)) as Call;
    const inTime = new AbortController();
    const late = pause(replyTimeout, undefined, inTime).catch(() => undefined);
    const reply = await Promise.race([this.#reply(this.#call), late]).finally(() => inTime.abort());
    if (reply === undefined) {
      await this.close();
      return undefined;
    }
    const line = JSON.stringify({ call: this.#calls, ...reply });
    this.#keep(line);
    return readReply(line, this.#calls);
  }

  takeOutput(): string {
    const output = this.#output;
    this.#output = "";
    return output;
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error("the driver is closed"));
  }

  #ready(declared: Partial<Capabilities>): Capabilities {
    const line = JSON.stringify({
      protocol: protocolVersion,
      client: `${clientPackage.name} ${clientPackage.version}`,
      operations: Object.keys(operations) as OperationId[],
      retries: true,
      idempotencyKeys: "automatic",
      timeouts: true,
      ...declared,
    });
    this.#keep(line);
    return readCapabilities(line);
  }

  #keep(text: string): void {
    this.#output += `${text}\n`;
  }
}
