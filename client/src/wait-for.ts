import type { Message, MessageStatus } from "../../generated/client/models.ts";
import { ended } from "../../generated/client/table.ts";
import type { CallOptions, Clock } from "./settings.ts";
import { bounds } from "./time.ts";

/** How long to wait for a message, and how often to look. */
export interface WaitOptions extends CallOptions {
  /** The longest wait in all, in milliseconds; 300 000 unless told otherwise. */
  timeout?: number | undefined;
  /** The first pause between two looks, in milliseconds; 2 000 unless told otherwise. Each is half as long again, up to 30 s. */
  interval?: number | undefined;
}

/** A message did not come into the state that was waited for: it cannot any more, or time was up. */
export class StateError extends Error {
  override name = "StateError";
  /** The message as it was last seen. */
  readonly record: Message;
  constructor(state: MessageStatus, record: Message, late = "") {
    super(`the message is ${record.status} and was not ${state}${late}`);
    this.record = record;
  }
}

/** Looks a message up until it is in a state, or has been. */
export async function waitFor(
  get: (id: string, options: CallOptions) => Promise<Message>,
  clock: Clock,
  id: string,
  state: MessageStatus,
  { timeout = 300_000, interval = 2000, ...options }: WaitOptions = {},
  longestLook = 120_000,
): Promise<Message> {
  const deadline = clock.Date.now() + timeout;
  const limited = bounds(clock, deadline, options.signal);
  for (let pause = interval; ; pause = Math.min(pause * 1.5, 30_000)) {
    const left = deadline - clock.Date.now();
    const record = await get(id, { ...options, timeout: Math.min(left, longestLook) });
    // A message passes some states by: who waits for `sent` has what they want when it is delivered already.
    if (record.status === state || record[`${state}_at` as "sent_at"]) return record;
    if ((ended as readonly string[]).includes(record.status)) throw new StateError(state, record);
    if (clock.Date.now() + pause >= deadline) throw new StateError(state, record, " in time");
    await limited(pause);
  }
}
