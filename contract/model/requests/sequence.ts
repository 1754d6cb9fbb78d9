import type { Fixtures, Role } from "../../engine/settings.ts";
import type { ModelRequest } from "../world.ts";

/** What the steps of one sequence have in common. */
export interface Sequence {
  fixtures: Fixtures;
  hasKey(role: Role): boolean;
  /** A text in all names, so that no other sequence has the same ones. */
  name: string;
  /** The number of email addresses and keys so far. */
  count: number;
  /** The number of messages and contacts looked up after steps so far. */
  lookups: number;
}

export const next = (sequence: Sequence): string => {
  sequence.count += 1;
  return `${sequence.name}-${sequence.count}`;
};

export function withKey(request: ModelRequest, isKeyed: boolean, sequence: Sequence): ModelRequest {
  return isKeyed ? { ...request, idempotencyKey: next(sequence) } : request;
}

/** One of several, counted round. */
export const pick = <One>(all: readonly One[], index: number): One | undefined => all[index % all.length];
