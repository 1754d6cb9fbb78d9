import type { Error as ErrorBody } from "../../generated/client/models.ts";

/** What all events of a call tell. */
export interface EventBase {
  method: string;
  url: string;
  /** Which attempt it is, 1 for the first. */
  attempts: number;
  /** The same in all attempts of a call; undefined where the operation takes none. */
  idempotencyKey: string | undefined;
}

/** What kinds of event there are, without what they have in common. */
export type EventDetail =
  /**
   * An attempt is about to be made. What is put into `headers` goes along, such as `traceparent`; the API key is not in it.
   * The signal tells a hook that waits when nobody waits for it any more.
   */
  | { type: "attempt"; headers: Record<string, string>; signal: AbortSignal }
  /**
   * An attempt is over, after so many milliseconds. Without an answer, none came, or only a part of one. Its body is read already;
   * `error` is what that tells of a failure, such as its type, and empty where it tells nothing.
   */
  | { type: "result"; answer: Response | undefined; error: Partial<ErrorBody["error"]>; milliseconds: number }
  /** A pause before the next attempt. */
  | { type: "pause"; milliseconds: number };

/** Something that happens in a call. */
export type CallEvent = EventBase & EventDetail;

/** Is told what happens in a call. */
export type Hook = (event: CallEvent) => unknown;

/** One hook of several: each is told in order, and waited for. */
export const hooks =
  (...all: Hook[]): Hook =>
  async (event) => {
    for (const hook of all)
      try {
        await hook(event);
      } catch {}
  };
