import { advanceBy, advanceTo } from "../actions.ts";
import { ControlRefusal, json } from "../answer.ts";
import type { ControlCall } from "../call.ts";
import { length, time } from "../input.ts";
import type { GatewayServices } from "../parts.ts";
import { instant } from "../shapes.ts";

const state = async ({ clock, store }: GatewayServices) =>
  json({ now: instant(clock.now()), next_due_at: instant(await store.nextDue()) });

/** Calls about time. */
export const clockCalls: ControlCall[] = [
  {
    method: "GET",
    path: "/sandbox/clock",
    does: "Tells the time of the sandbox, and when the next message is due.",
    run: state,
  },
  {
    method: "POST",
    path: "/sandbox/clock",
    does: "Moves the clock on: `advance` by a duration (ISO 8601, or milliseconds), or `to` a time. Answers once all that was due has happened.",
    body: { advance: "PT1H" },
    run: async (parts, { input }) => {
      const by = length(input, "advance");
      const to = time(input, "to");
      if ((by === undefined) === (to === undefined))
        throw new ControlRefusal(422, "Give `advance` or `to`, one of them.", 'Send {"advance": "PT1H"}.');
      if (by !== undefined) await advanceBy(parts, by);
      else if (to !== undefined) await advanceTo(parts, to);
      return state(parts);
    },
  },
  {
    method: "POST",
    path: "/sandbox/reset",
    does: "Forgets everything and starts again from the seed: messages, calls, contacts, clock, failures.",
    run: async (parts) => {
      await parts.reset();
      return state(parts);
    },
  },
];
