import type { ErrorDetail } from "../../generated/client/models.ts";
import type { RequestDetails } from "./errors.ts";

/** What is special about each type of event. */
export type EventDetails =
  /**
   * An attempt starts. Headers that a hook adds to `headers` are sent, such as `traceparent`; the API key is not in it.
   * The signal aborts when the request no longer waits for the hook.
   */
  | { type: "attempt"; headers: Record<string, string>; signal: AbortSignal }
  /**
   * An attempt ended. `response` is undefined if none came or only a part of one; its body is already read. `error` is
   * the error in the body of a failure, and empty if there is none.
   */
  | {
      type: "result";
      response: Response | undefined;
      error: Partial<ErrorDetail>;
      milliseconds: number;
    }
  /** A pause before the next attempt. */
  | { type: "pause"; milliseconds: number };

/** An event of a request. `attempts` is the number of the current attempt, from 1. */
export type RequestEvent = RequestDetails & EventDetails;

/** A function that receives the events of requests. */
export type Hook = (event: RequestEvent) => unknown;

/** Combines hooks: each receives every event, one after the other. */
export const hooks =
  (...all: Hook[]): Hook =>
  async (event) => {
    for (const hook of all)
      try {
        await hook(event);
      } catch {}
  };
