import { type Account, accounts } from "./accounts.ts";
import type { Answer } from "./call.ts";

export interface Mail {
  id: string;
  account: string;
  from: string;
  to: string[];
  copies: string[];
  subject: string;
  tags: Record<string, string>;
  /** Null for one that was to go out at once. */
  planned: number | null;
  /** When it goes out, or went. */
  leaves: number;
  canceled: boolean;
}

export interface Place {
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
  places: Map<number, Place>;
}

/** What there is of one account while the server runs. */
export interface Holdings {
  name: string;
  account: Account;
  stopped: Set<string>;
  people: Map<string, Person>;
  window: { began: number; used: number };
}

/** Everything that the server keeps. */
export interface World {
  now(): number;
  /** When it began, by its own clock. */
  began: number;
  holdings: Map<string, Holdings>;
  mail: Map<string, Mail>;
  /** What was answered under an idempotency key. */
  answered: Map<string, Answer & { fingerprint: string; at: number }>;
}

/** A world as it is at the start. */
export function newWorld(now: () => number): World {
  const began = now();
  const holdings = Object.entries(accounts).map(([name, account]): [string, Holdings] => {
    const people = account.contacts.map(({ address, list, state }): [string, Person] => {
      const person = newPerson(address);
      person.places.set(list, { state, joined: began - 1e10, left: null });
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
  return { now, began, holdings: new Map(holdings), mail: new Map(), answered: new Map() };
}

export const newPerson = (address: string): Person => ({
  address,
  firstName: null,
  lastName: null,
  values: new Map(),
  labels: new Set(),
  blocked: false,
  places: new Map(),
});
