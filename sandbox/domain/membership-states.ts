import { lifecycles } from "../../generated/lifecycles.ts";
import type { MembershipStatus } from "./records.ts";

export type MembershipTrigger =
  | "add"
  | "add with confirmation"
  | "add after leaving everything"
  | "confirm"
  | "unsubscribe from everything"
  | "unsubscribe from one list";

export interface MembershipTransition {
  /** Null if the contact was not on the list before. */
  readonly from: readonly MembershipStatus[] | null;
  readonly on: MembershipTrigger;
  readonly to: MembershipStatus;
}

const any: readonly MembershipStatus[] = lifecycles.membership.states;

/**
 * The state transitions of a membership. All others leave the status unchanged: adding a contact that is on the list changes its details only,
 * and nothing leads out of `unsubscribed`.
 */
export const membershipTransitions: readonly MembershipTransition[] = [
  { from: null, on: "add", to: "subscribed" },
  { from: null, on: "add with confirmation", to: "pending" },
  { from: null, on: "add after leaving everything", to: "unsubscribed" },
  { from: ["pending"], on: "confirm", to: "subscribed" },
  { from: any, on: "unsubscribe from everything", to: "unsubscribed" },
  { from: any, on: "unsubscribe from one list", to: "unsubscribed" },
];

/** The next status; undefined if it does not change. */
export function nextMembershipStatus(
  from: MembershipStatus | null,
  on: MembershipTrigger,
): MembershipStatus | undefined {
  const row = membershipTransitions.find(
    (transition) =>
      transition.on === on && (from === null ? transition.from === null : transition.from?.includes(from)),
  );
  return row?.to;
}
