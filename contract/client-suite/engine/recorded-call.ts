import { jsonOf } from "../../../lib/objects.ts";
import { AssertionFailure } from "../../engine/assert.ts";
import { type Exchange, errorOf } from "../../exchange.ts";
import type { ResponseFinding } from "../../response-checks/finding.ts";
import { shown } from "../../text.ts";
import type { Call, CallError, Reply } from "../driver/protocol.ts";
import type { WireExchange, WireRequest } from "../service/recording-server.ts";

export class RecordedCall {
  declare readonly call: Call;
  /** Undefined if there was none in time. */
  declare readonly reply: Reply | undefined;
  /** Its requests in their order, with their times. */
  declare readonly wire: readonly WireExchange[];
  /** The same for reports. */
  declare readonly exchanges: readonly Exchange[];
  /** From the call to its reply. */
  declare readonly milliseconds: number;
  /** The requirements that its requests violate so that the service rejects them: they are why the reply is not as expected. */
  declare readonly causes: readonly string[];
  /** The requirements that a failed assertion is about; default: those of the check. */
  readonly ids: readonly string[] | undefined;

  constructor(made: RecordedFields, ids?: readonly string[]) {
    Object.assign(this, made);
    this.ids = ids;
  }

  /** The same call, for assertions that are not about every requirement of the check. */
  about(...ids: string[]): RecordedCall {
    return new RecordedCall(this, ids);
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
    throw this.#unexpectedOutcome("a result");
  }

  /** The error that the client returned. @throws AssertionFailure if it returned a result, or nothing */
  get error(): CallError {
    if (this.reply !== undefined && "error" in this.reply) return this.reply.error;
    throw this.#unexpectedOutcome("an error");
  }

  /** The reply in words, for `found`. */
  get outcome(): string {
    if (this.reply === undefined) return `no reply within ${Math.round(this.milliseconds)} ms`;
    return shown(this.reply, 300);
  }

  /** A failure that shows the last request. */
  failure(expected: string, found: string, ids = this.ids): AssertionFailure {
    return new AssertionFailure(this.exchanges.at(-1), { expected, found: this.#withCall(found) }, ids);
  }

  /** What was found, with the reply and the call if there is no request that shows them. */
  #withCall(found: string): string {
    if (this.exchanges.length > 0) return found;
    const reply = found === this.outcome ? "" : `, and the reply ${this.outcome}`;
    return `${found}, without a request${reply}, in the call ${shown(this.call, 300)}`;
  }

  /**
   * @param found default: the reply
   * @throws AssertionFailure unless the condition holds
   */
  assert(condition: boolean, expected: string, found?: string): void {
    if (condition) return;
    throw found === undefined ? this.#unexpectedOutcome(expected) : this.failure(expected, found);
  }

  /** A failure about the reply, which depends on what the requests violate. */
  #unexpectedOutcome(expected: string): AssertionFailure {
    return this.failure(expected, this.outcome, this.causes.length > 0 ? this.causes : this.ids);
  }
}

type RecordedFields = Pick<RecordedCall, "call" | "reply" | "wire" | "exchanges" | "milliseconds" | "causes">;

/** A recorded request as an exchange of the report. @param before the requests of the same call before it */
export function toExchange(
  { request, response, disturbance, receivedAt, endedAt, startedAt }: WireExchange,
  { call, reply, before }: { call: Call; reply: unknown; before: readonly WireExchange[] },
  key: string,
): Exchange {
  const text = response?.body.toString() ?? "";
  const sent = request.body.length === 0 ? undefined : request.body.toString();
  return {
    request: {
      operation: call.operation,
      method: request.method,
      path: request.target,
      ...(request.headers.authorization === `Bearer ${key}` ? {} : { key: null }),
    },
    sent: { headers: request.headers, text: sent },
    status: response?.status ?? 0,
    headers: response?.headers ?? {},
    text,
    json: jsonOf(text),
    startedAt,
    milliseconds: Number.isFinite(endedAt) ? endedAt - receivedAt : 0,
    call: {
      line: JSON.stringify(call),
      reply: JSON.stringify(reply) ?? "no reply",
      attempts: before.map(({ request: { method, target, headers }, response: earlier }) => {
        const own = headers["idempotency-key"];
        return `${method} ${target} ${earlier?.status ?? "no response"}${own === undefined ? "" : `, Idempotency-Key: ${own}`}`;
      }),
    },
    ...(disturbance !== undefined && { disturbance }),
  };
}

/** The service accepts requests that violate these. */
const accepted = new Set(["GEN-5", "AUTH-6"]);

/**
 * The requirements that a request violates, if the service itself rejected it. What the client makes of the rejection says nothing about
 * other requirements.
 */
export function causesOfRejection(
  { request, response, ownStatus = 0 }: WireExchange,
  { idempotencyKey }: Call,
  findings: readonly ResponseFinding[],
): string[] {
  if (ownStatus < 400 || ownStatus >= 500) return [];
  const violated = findings.flatMap(({ ids, failure }) => (failure === undefined ? [] : ids));
  const { type } = errorOf({ json: jsonOf(response?.body.toString() ?? "") }) ?? {};
  const isOwnConflict =
    type === "idempotency_conflict" && request.headers["idempotency-key"] !== idempotencyKey;
  return [...violated.filter((id) => !accepted.has(id)), ...(isOwnConflict ? ["IDEM-5"] : [])];
}
