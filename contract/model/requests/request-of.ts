import type { Step } from "../steps/step.ts";
import type { ModelRequest, World } from "../world.ts";
import { changedSend, emailRequest } from "./email.ts";
import { changedContact, newsletterRequest } from "./newsletter.ts";
import { pick, type Sequence } from "./sequence.ts";

/** The request of a step; undefined if there is nothing that the step could be about. */
export function requestOf(
  step: Exclude<Step, { do: "confirm" | "wait" }>,
  sequence: Sequence,
  world: World,
  now: number,
): ModelRequest | undefined {
  switch (step.do) {
    case "add":
    case "unsubscribe":
    case "read":
    case "again":
    case "mail":
      return newsletterRequest(step, sequence, world, now);
    case "repeat":
      return repeatOf(pick(world.keyed.toReversed(), step.request)?.request, step.change, sequence);
    default:
      return emailRequest(step, sequence, world, now);
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
