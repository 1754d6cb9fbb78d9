import type { BatchMessage, BatchResponse, ErrorFields } from "../../generated/client/models.ts";
import { batchMessages, idempotencyKeyPattern, idempotencyWindow } from "../../generated/client/table.ts";
import { ApiError } from "./errors.ts";
import { fieldsByMessage } from "./guards.ts";
import type { CallOptions, Clock, KeyedOptions } from "./settings.ts";
import { usable } from "./usable.ts";

/** What became of one message. */
export type MessageResult =
  | { state: "accepted"; id: string; suppressed: string[] }
  /** Its part was refused, and nothing of it was sent. `fields` tells what is wrong with this message; empty where others are to blame. */
  | { state: "refused"; fields: ErrorFields }
  /** Not sent yet, or not known: going on with the same result settles it. */
  | { state: "open" };

/** Messages that are sent in one request. */
export interface Part {
  /** The position of its first message. */
  start: number;
  /** An open part may be set to `accepted`, to leave it as it is, or to `refused`, to send it under another key. */
  state: MessageResult["state"];
  idempotencyKey: string;
  /** From when on it may have been sent, in milliseconds since 1970; it is missing where that cannot be. */
  since?: number;
}

/** How far sending is. It holds plain data, so that it can be kept and gone on with. */
export interface SendAllResult {
  /** One for each message, in order. */
  results: MessageResult[];
  parts: Part[];
  /** How many messages are accepted. */
  accepted: number;
  /** What stopped the sending, or refused the last of the parts that were refused; undefined where all went well. */
  error: unknown;
}

export interface SendAllOptions extends CallOptions {
  /**
   * Names the whole work, in a few characters less than another key may have: parts get keys that begin with it. The same
   * messages with the same name are not sent twice within 24 hours, even after a crash (IDEM-9).
   */
  idempotencyKey?: string | undefined;
  /**
   * The result of an earlier run with the same messages: what was accepted stays, the rest is sent. Refused with a
   * TypeError for another number of messages, and where a part may have been sent more than 24 hours ago: its key no
   * longer keeps it from being sent twice. See the `state` of a part.
   */
  resume?: SendAllResult | undefined;
  /** Told after each part, and waited for, so that it can keep the result. What it throws is passed over: no result may be lost. */
  onProgress?: ((result: SendAllResult) => unknown) | undefined;
}

/**
 * Sends any number of messages, in order, in as many requests as they need.
 * A part that is refused for what is in it (422) stops no other; any other failure stops the sending.
 *
 * @throws TypeError where nothing can be sent: an idempotency key that is none, a result that cannot be gone on with
 */
export async function sendAll(
  send: (messages: BatchMessage[], options: KeyedOptions) => Promise<BatchResponse>,
  clock: Clock,
  messages: readonly BatchMessage[],
  { idempotencyKey = crypto.randomUUID(), resume, onProgress, ...options }: SendAllOptions = {},
): Promise<SendAllResult> {
  const parts = partsOf(messages.length, idempotencyKey, resume, clock.Date.now());
  const results = messages.map((_, index): MessageResult => {
    const before = parts[Math.floor(index / batchMessages)]?.state === "accepted" && resume?.results[index];
    return before || { state: "open" };
  });
  const result: SendAllResult = { results, parts, accepted: 0, error: undefined };
  const count = () => {
    result.accepted = results.filter(({ state }) => state === "accepted").length;
  };
  count();
  const open = parts.filter(({ state }) => state === "open");
  for (const [turn, part] of open.entries()) {
    part.since ??= clock.Date.now();
    const members = messages.slice(part.start, part.start + batchMessages);
    try {
      const { data } = await send(members, { ...options, idempotencyKey: part.idempotencyKey });
      for (const [index, item] of Object.entries(data ?? []))
        if (+index < members.length) results[part.start + +index] = { ...item, state: "accepted" };
      if (data?.length !== members.length)
        throw new TypeError("not one entry for each message in the answer");
      part.state = "accepted";
    } catch (error) {
      result.error = error;
      count();
      if (!(error instanceof ApiError) || error.status !== 422) break;
      part.state = "refused";
      const fields = fieldsByMessage(error);
      for (const index of members.keys())
        results[part.start + index] = { state: "refused", fields: fields.get(index) ?? {} };
    }
    count();
    // The next one is on its way before a result is kept again.
    const next = open[turn + 1];
    if (next) next.since ??= clock.Date.now();
    try {
      await onProgress?.(result);
    } catch {}
  }
  return result;
}

/** The parts of a work, as an earlier run left them. @throws TypeError where it cannot be gone on with */
function partsOf(
  count: number,
  idempotencyKey: string,
  resume: SendAllResult | undefined,
  now: number,
): Part[] {
  if (resume && resume.results.length !== count) throw new TypeError("resume is of other messages");
  usable("idempotencyKey", idempotencyKeyPattern, idempotencyKey);
  // No key of a part is longer.
  usable("idempotencyKey", idempotencyKeyPattern, `${idempotencyKey}-${count}`);
  const parts: Part[] = [];
  for (let start = 0; start < count; start += batchMessages) {
    const part = nextPart(start, `${idempotencyKey}-${start}`, resume);
    if (part.state === "open" && now - (part.since ?? now) >= idempotencyWindow * 3_600_000)
      throw new TypeError(
        `part ${start} may have been sent over ${idempotencyWindow} hours ago: set its state`,
      );
    parts.push(part);
  }
  return parts;
}

/** What was refused is mended before it is sent again, and so is other work with another key. */
function nextPart(start: number, idempotencyKey: string, resume: SendAllResult | undefined): Part {
  const before = resume?.parts.find((part) => part.start === start);
  if (before === undefined || before.state === "refused") return { start, state: "open", idempotencyKey };
  return { ...before };
}
