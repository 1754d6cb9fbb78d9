import { type ModelRequest, type ModelState, pick, type Sequence } from "../state.ts";
import type { Step } from "../steps/step.ts";
import { changedSend, emailRequest } from "./email.ts";
import { changedContact, newsletterRequest } from "./newsletter.ts";

/** The request of a step; undefined if there is nothing that the step could be about. */
export function requestOf(
  step: Exclude<Step, { do: "confirm" | "wait" }>,
  sequence: Sequence,
  state: ModelState,
  now: number,
): ModelRequest | undefined {
  switch (step.do) {
    case "add":
    case "unsubscribe":
    case "read":
    case "again":
    case "mail":
      return newsletterRequest(step, sequence, state, now);
    case "repeat":
      return repeatOf(pick(state.keyed.toReversed(), step.request)?.request, step.change, sequence);
    default:
      return emailRequest(step, sequence, state, now);
  }
}

/** An earlier request again; with a number, with a body that differs. */
function repeatOf(
  earlier: ModelRequest | undefined,
  change: number | null,
  sequence: Sequence,
): ModelRequest | undefined {
  if (earlier === undefined || change === null) return earlier;
  const { body = {} } = earlier;
  return {
    ...earlier,
    body:
      earlier.operation === "upsertContact"
        ? changedContact(body, change, sequence)
        : changedSend(body, change, sequence),
  };
}
