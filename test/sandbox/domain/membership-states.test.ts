import { expect, test } from "vitest";
import { lifecycles, type Transition } from "../../../generated/lifecycles.ts";
import {
  type MembershipTrigger,
  membershipTransitions,
  nextMembershipStatus,
} from "../../../sandbox/domain/contacts.ts";
import type { MembershipStatus } from "../../../sandbox/domain/records.ts";

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
