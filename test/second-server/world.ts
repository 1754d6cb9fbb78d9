import { type Account, accounts } from "./accounts.ts";
import type { ApiResponse } from "./request.ts";

export interface Mail {
  id: string;
  account: string;
  from: string;
  to: string[];
  copies: string[];
  subject: string;
  tags: Record<string, string>;
  /** When it is scheduled for; null for an immediate send. */
  planned: number | null;
  /** When it is sent. */
  leaves: number;
  canceled: boolean;
}

export interface Membership {
  state: "pending" | "subscribed" | "unsubscribed" | "cleaned" | "complained";
  joined: number | null;
  left: number | null;
}

export interface Person {
  address: string;
  firstName: string | null;
  lastName: string | null;
  values: Map<string, unknown>;
  labels: Set<string>;
  blocked: boolean;
  memberships: Map<number, Membership>;
}

/** The state of one account. */
export interface AccountState {
  name: string;
  account: Account;
  stopped: Set<string>;
  people: Map<string, Person>;
  window: { began: number; used: number };
}

/** The state of the server. */
export interface World {
  now(): number;
  /** When the server started, by its own clock. */
  began: number;
  accountStates: Map<string, AccountState>;
  mail: Map<string, Mail>;
  /** The responses by idempotency key. */
  replays: Map<string, ApiResponse & { fingerprint: string; at: number }>;
}

/** The state at the start. */
export function newWorld(now: () => number): World {
  const began = now();
  const accountStates = Object.entries(accounts).map(([name, account]): [string, AccountState] => {
    const people = account.contacts.map(({ address, list, state }): [string, Person] => {
      const person = newPerson(address);
      person.memberships.set(list, { state, joined: began - 1e10, left: null });
      return [address, person];
    });
    return [
      name,
      {
        name,
        account,
        stopped: new Set(account.stopped),
        people: new Map(people),
        window: { began: 0, used: 0 },
      },
    ];
  });
  return { now, began, accountStates: new Map(accountStates), mail: new Map(), replays: new Map() };
}

export const newPerson = (address: string): Person => ({
  address,
  firstName: null,
  lastName: null,
  values: new Map(),
  labels: new Set(),
  blocked: false,
  memberships: new Map(),
});
