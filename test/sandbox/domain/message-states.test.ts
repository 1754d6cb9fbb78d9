import { expect, test } from "vitest";
import { lifecycles, type Transition } from "../../../generated/lifecycles.ts";
import { type MessageTrigger, messageTransitions, nextStatus } from "../../../sandbox/domain/due.ts";
import type { MessageStatus } from "../../../sandbox/domain/records.ts";

/** The steps of the contract by the words that it has for them. */
const triggers: Record<string, MessageTrigger> = {
  "send with scheduled_at": "schedule",
  "send without scheduled_at": "send",
  reschedule: "reschedule",
  cancel: "cancel",
  "the scheduled time arrives": "time comes",
  "the receiving side confirms delivery": "delivery is confirmed",
  "the receiving server rejects the message": "receiver rejects",
  "the recipient marks the message as spam": "recipient complains",
};

const rows: readonly Transition[] = lifecycles.message.transitions;

test.each(rows)("the contract's step from $from on $on", ({ from, on, to, error }) => {
  const trigger = triggers[on];
  expect(trigger, "a step that the sandbox does not know").toBeDefined();
  if (trigger === undefined) return;
  for (const state of from ?? [null]) {
    const next = nextStatus(state as MessageStatus | null, trigger);
    if (error !== undefined) {
      expect(next).toBeUndefined();
      expect(messageTransitions.find((row) => row.on === trigger)?.otherwise).toBe(error);
    } else if (to !== null) expect(next).toBe(to);
    else expect(next).toBe("sent");
  }
});

test("no step of the sandbox is one that the contract does not have", () => {
  const known = new Set(rows.map(({ on }) => triggers[on]));
  expect(messageTransitions.filter(({ on }) => !known.has(on))).toEqual([]);
});

test("nothing leads out of the states in which a message ends", () => {
  for (const state of ["bounced", "complained", "canceled", "rejected", "failed"] as const) {
    for (const { on } of messageTransitions) expect(nextStatus(state, on)).toBeUndefined();
  }
});
