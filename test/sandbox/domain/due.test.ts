import { describe, expect, test } from "vitest";
import { lifecycles, simulator, type Transition } from "../../../generated/lifecycles.ts";
import {
  type MembershipTrigger,
  membershipTransitions,
  nextMembershipStatus,
} from "../../../sandbox/domain/contacts.ts";
import {
  dueSteps,
  firstDue,
  type MailRules,
  type MessageTrigger,
  messageTransitions,
  nextStatus,
  usualDelays,
} from "../../../sandbox/domain/due.ts";
import type { MembershipStatus, Message, MessageStatus } from "../../../sandbox/domain/records.ts";
import type { DueMessage } from "../../../sandbox/domain/store.ts";
import { noon, scheduledMessage, sentMessage } from "../store/records.ts";

const rules: MailRules = { simulatorDomain: "simulator.example", delays: usualDelays };

/** Lets everything happen to a message, and gives every state it was in. */
function life(message: DueMessage): { states: string[]; last: DueMessage } {
  const states: string[] = [message.status];
  let last = message;
  while (last.dueAt !== null) {
    last = dueSteps(last, last.dueAt, rules).message;
    states.push(last.status);
  }
  return { states, last };
}

const sentTo = (changes: Partial<Message>) => {
  const message = sentMessage("a", changes);
  return { ...message, dueAt: firstDue(message, noon, rules) };
};

describe("the simulated recipients", () => {
  test.each(simulator.recipients.filter((row) => row.states.length > 0))(
    "$localPart goes through $states",
    ({ localPart, states }) => {
      expect(life(sentTo({ to: [`${localPart}@simulator.example`] })).states).toEqual(states);
    },
  );

  test("an address on a block list bounces for good and is never delivered", () => {
    const { states, last } = life(sentTo({ to: ["suppressionlist@simulator.example"] }));
    expect(states).toEqual(["sent", "bounced"]);
    expect(last.bounce).toMatchObject({ permanent: true, subtype: "blocked" });
  });

  test.each(["BOUNCE@simulator.example", "Bounce@Simulator.Example"])(
    "%s bounces: case does not count",
    (address) => {
      expect(life(sentTo({ to: [address] })).last.status).toBe("bounced");
    },
  );

  test.each([
    "bounce@example.org",
    "bounce@other-simulator.example",
    "bounce@simulator.example.org",
    "nobody@simulator.example",
    "bounced",
  ])("%s is delivered like any other address", (address) => {
    expect(life(sentTo({ to: [address] })).states).toEqual(["sent", "delivered"]);
  });

  test.each([
    { to: ["success", "bounce"], worst: "bounced" },
    { to: ["complaint", "suppressionlist"], worst: "bounced" },
    { to: ["success", "complaint"], worst: "complained" },
  ])("of $to the worst counts: $worst", ({ to, worst }) => {
    const addresses = to.map((name) => `${name}@simulator.example`);
    expect(life(sentTo({ to: addresses })).last.status).toBe(worst);
    expect(
      life(sentTo({ to: ["ada@example.org"], cc: addresses.slice(0, 1), bcc: addresses.slice(1) })).last
        .status,
    ).toBe(worst);
  });
});

test("nothing happens to a message in a state that nothing leads out of", () => {
  const canceled = scheduledMessage("a", noon, { status: "canceled" });
  expect(dueSteps(canceled, noon, rules)).toEqual({ message: { ...canceled, dueAt: null } });
});

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

const membershipRows: readonly Transition[] = lifecycles.membership.transitions;

/** The sandbox's step for one of the contract, which tells the two ways of adding apart by a condition. */
const membershipTriggers = ({ on, to }: Transition): MembershipTrigger | undefined => {
  if (on === "add") return to === "pending" ? "add with confirmation" : "add";
  const named: Record<string, MembershipTrigger> = {
    "the contact clicks the confirmation": "confirm",
    "unsubscribe from everything": "unsubscribe from everything",
    "unsubscribe from one list": "unsubscribe from one list",
  };
  return named[on];
};

test.each(membershipRows)("the contract's step from $from on $on", (row) => {
  const trigger = membershipTriggers(row);
  expect(trigger, "a step that the sandbox does not know").toBeDefined();
  if (trigger === undefined) return;
  for (const state of row.from ?? [null]) {
    const next = nextMembershipStatus(state as MembershipStatus | null, trigger);
    expect(next).toBe(row.to ?? undefined);
  }
});

test("nothing leads out of unsubscribed", () => {
  for (const { on } of membershipTransitions) {
    expect(nextMembershipStatus("unsubscribed", on) ?? "unsubscribed").toBe("unsubscribed");
  }
});

test("somebody who left everything is neither subscribed nor asked to confirm on a further list", () => {
  expect(nextMembershipStatus(null, "add after leaving everything")).toBe("unsubscribed");
});
