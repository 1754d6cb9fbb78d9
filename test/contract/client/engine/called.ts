import { AssertionFailure } from "../../engine/assert.ts";
import type { Exchange } from "../../exchange.ts";
import type { Call, CallError, Reply } from "../driver/driver.ts";
import type { WireExchange, WireRequest } from "../service/wire.ts";

interface Parts {
  call: Call;
  /** Undefined if there was none in time. */
  reply: Reply | undefined;
  wire: WireExchange[];
  exchanges: Exchange[];
  milliseconds: number;
}

/** A call with its requests and its reply. */
export class Called {
  readonly call: Call;
  readonly reply: Reply | undefined;
  /** Its requests in their order, with their times. */
  readonly wire: readonly WireExchange[];
  /** The same for reports. */
  readonly exchanges: readonly Exchange[];
  /** From the call to its reply. */
  readonly milliseconds: number;

  constructor({ call, reply, wire, exchanges, milliseconds }: Parts) {
    this.call = call;
    this.reply = reply;
    this.wire = wire;
    this.exchanges = exchanges;
    this.milliseconds = milliseconds;
  }

  /** The only request. @throws AssertionFailure if there is not exactly one */
  get request(): WireRequest {
    const [first, second] = this.wire;
    if (first === undefined || second !== undefined)
      throw this.failure("one request", `${this.wire.length} requests`);
    return first.request;
  }

  /** What the client returned. @throws AssertionFailure if it returned an error, or nothing */
  get result(): unknown {
    if (this.reply !== undefined && "result" in this.reply) return this.reply.result;
    throw this.failure("a result", this.outcome);
  }

  /** The error that the client returned. @throws AssertionFailure if it returned a result, or nothing */
  get error(): CallError {
    if (this.reply !== undefined && "error" in this.reply) return this.reply.error;
    throw this.failure("an error", this.outcome);
  }

  /** The reply in words, for `found`. */
  get outcome(): string {
    if (this.reply === undefined) return `no reply within ${Math.round(this.milliseconds)} ms`;
    const text = JSON.stringify(this.reply);
    return text.length <= 300 ? text : `${text.slice(0, 297)}...`;
  }

  /** A failure that shows the last request. */
  failure(expected: string, found: string): AssertionFailure {
    return new AssertionFailure(this.exchanges.at(-1), { expected, found });
  }

  /** @throws AssertionFailure unless the condition holds */
  assert(condition: boolean, expected: string, found: string = this.outcome): void {
    if (!condition) throw this.failure(expected, found);
  }
}
