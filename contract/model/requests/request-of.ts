import {
  type ModelRequest,
  type ModelState,
  type Place,
  pick,
  type RequestsOf,
  type Sequence,
} from "../state.ts";
import type { Step } from "../steps/step.ts";
import { changedSend, emailRequests } from "./email.ts";
import { changedContact, newsletterRequests } from "./newsletter.ts";

type RequestStep = Exclude<Step, { do: "confirm" | "wait" }>;

const requests: RequestsOf<RequestStep> = {
  ...emailRequests,
  ...newsletterRequests,
  /** An earlier request again; with a number, with a body that differs. */
  repeat: ({ request, change }, { state, sequence }) => {
    const earlier = pick(state.keyed.toReversed(), request)?.request;
    if (earlier === undefined || change === null) return earlier;
    const changed = earlier.operation === "upsertContact" ? changedContact : changedSend;
    return { ...earlier, body: changed(earlier.body ?? {}, change, sequence) };
  },
};

/** The request of a step; undefined if there is nothing that the step could be about. */
export function requestOf(step: RequestStep, sequence: Sequence, state: ModelState, now: number) {
  const key = "key" in step && sequence.hasKey(step.key) ? step.key : "full";
  const make = requests[step.do] as (step: RequestStep, place: Place) => ModelRequest | undefined;
  return make(step, { key, sequence, state, now });
}
