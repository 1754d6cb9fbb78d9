import type { BatchMessage, BatchResponse, ErrorFields } from "../../generated/client/models.ts";
import { batchMessages, idempotencyWindow } from "../../generated/client/table.ts";
import { ApiError, fieldsByMessage } from "./errors.ts";
import type { Clock, IdempotentRequestOptions, RequestOptions } from "./options.ts";
import { check, checkIdempotencyKey, checkPositive } from "./validate.ts";

/** The result of one message. */
export type MessageResult =
  | { state: "accepted"; id: string; suppressed: string[] }
  /** Its part was rejected and not sent. `fields` has the errors of this message; empty if only others are invalid. */
  | { state: "rejected"; fields: ErrorFields }
  /** Not sent yet, or unknown: resume with the result to find out. */
  | { state: "pending" };

/** Messages that are sent in one request. */
export interface Part {
  /** The index of its first message. */
  start: number;
  /** Before resuming, a pending part may be set to `accepted`, to skip it, or to `rejected`, to send it with another key. */
  state: MessageResult["state"];
  idempotencyKey: string;
  /** When it was first sent, in milliseconds since 1970; missing if it was not. */
  since?: number;
}

/** The progress of `sendAll`: plain data, which can be stored and resumed. */
export interface SendAllResult {
  /** One for each message, in order. */
  results: MessageResult[];
  parts: Part[];
  /** The number of accepted messages. */
  accepted: number;
  /** The error that stopped sending, or that of the last rejected part; undefined if all went well. */
  error: unknown;
}

export interface SendAllOptions extends RequestOptions {
  /**
   * The start of the idempotency keys of all parts, so a few characters shorter than a key may be. The same messages with
   * the same key are not sent twice within 24 hours, even after a crash (IDEM-9).
   */
  idempotencyKey?: string | undefined;
  /**
   * The result of an earlier run with the same messages: accepted ones are skipped, the rest is sent. Rejects with a
   * TypeError if the number of messages differs, or if a part may have been sent more than 24 hours ago, so that its key no
   * longer prevents sending it twice: set the `state` of that part.
   */
  resume?: SendAllResult | undefined;
  /** Called and awaited after each part, for example to store the result. Its errors are ignored. */
  onProgress?: ((result: SendAllResult) => unknown) | undefined;
}

/**
 * Sends any number of messages, in order, in as many requests as needed. After a 422 it continues with the next part; any
 * other failure stops it.
 * @throws TypeError for an invalid option, or a result that cannot be resumed
 */
export async function sendAll(
  send: (messages: BatchMessage[], options: IdempotentRequestOptions) => Promise<BatchResponse>,
  clock: Clock,
  messages: readonly BatchMessage[],
  { idempotencyKey = crypto.randomUUID(), resume, onProgress, ...options }: SendAllOptions = {},
): Promise<SendAllResult> {
  check(Array.isArray(messages), "messages must be an array", messages);
  checkPositive(options);
  const parts = partsOf(messages.length, idempotencyKey, resume, clock.Date.now());
  const results = messages.map((_, index): MessageResult => {
    const before = parts[Math.floor(index / batchMessages)]?.state === "accepted" && resume?.results[index];
    return before || { state: "pending" };
  });
  const result: SendAllResult = { results, parts, accepted: 0, error: undefined };
  const count = () => {
    result.accepted = results.filter(({ state }) => state === "accepted").length;
  };
  count();
  const pending = parts.filter(({ state }) => state === "pending");
  for (const [position, part] of pending.entries()) {
    part.since ??= clock.Date.now();
    const members = messages.slice(part.start, part.start + batchMessages);
    try {
      const { data } = await send(members, { ...options, idempotencyKey: part.idempotencyKey });
      for (const [index, item] of Object.entries(data ?? []))
        if (+index < members.length) results[part.start + +index] = { ...item, state: "accepted" };
      if (data?.length !== members.length)
        throw new TypeError("not one entry for each message in the response");
      part.state = "accepted";
    } catch (error) {
      result.error = error;
      count();
      if (!(error instanceof ApiError) || error.status !== 422) break;
      part.state = "rejected";
      const fields = fieldsByMessage(error);
      for (const index of members.keys())
        results[part.start + index] = { state: "rejected", fields: fields.get(index) ?? {} };
    }
    count();
    // Set before the result is stored: a crash after that may leave the next part sent.
    const next = pending[position + 1];
    if (next) next.since ??= clock.Date.now();
    try {
      await onProgress?.(result);
    } catch {}
  }
  return result;
}

/** The parts to send, with the state of an earlier run. @throws TypeError if it cannot be resumed */
function partsOf(count: number, idempotencyKey: string, resume: SendAllResult | undefined, now: number) {
  const { results, parts: before } = resume ?? { results: { length: count }, parts: [] };
  check(
    results?.length === count && Array.isArray(before) && before.every((part) => part?.idempotencyKey),
    `resume must be a result of sendAll with these ${count} messages`,
    { results: results?.length, parts: before?.length },
  );
  checkIdempotencyKey(idempotencyKey);
  // The longest key of a part.
  checkIdempotencyKey(`${idempotencyKey}-${count}`);
  const parts: Part[] = [];
  for (let start = 0; start < count; start += batchMessages) {
    const part = nextPart(start, `${idempotencyKey}-${start}`, resume);
    check(
      part.state !== "pending" || now - (part.since ?? now) < idempotencyWindow * 3_600_000,
      `the part at ${start} may have been sent over ${idempotencyWindow} hours ago: set its state to accepted or rejected`,
    );
    parts.push(part);
  }
  return parts;
}

/** A rejected part is fixed before it is sent again, so it needs another key. */
function nextPart(start: number, idempotencyKey: string, resume: SendAllResult | undefined): Part {
  const before = resume?.parts.find((part) => part.start === start);
  if (before === undefined || before.state === "rejected") return { start, state: "pending", idempotencyKey };
  return { ...before };
}
