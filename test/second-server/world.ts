import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { ApiResponse } from "./request.ts";

/** An API key with its abilities. */
export interface Key {
  account: string;
  can: readonly string[];
  /** The only domain it may send from. */
  only?: string;
  revoked?: true;
  /** How long it works after the start, in milliseconds. */
  lasts?: number;
}

/** What an account has at the start. */
export interface Account {
  mail: boolean;
  news: boolean;
  ceilingReached?: true;
  /** Recipients a month. */
  allowance: number;
  domains: Record<string, "ready" | "waiting" | "halted">;
  templates: { id: string; isPublished: boolean }[];
  lists: { id: number; name: string; asks: boolean }[];
  fields: { key: string; label: string; type: "text" | "number" | "date" | "url"; fallback: string | null }[];
  stopped: string[];
  contacts: { address: string; list: number; state: "cleaned" | "complained" }[];
}

const day = 86_400_000;
const all = ["email:send", "newsletter:read", "newsletter:manage"];

const given = parse(readFileSync(new URL("accounts.yaml", import.meta.url), "utf8")) as {
  keys: Record<string, Partial<Key> & Pick<Key, "account">>;
  accounts: Record<string, Partial<Account> & { notes?: number }>;
};

/** All keys, revoked ones too. */
export const keys: Readonly<Record<string, Key>> = Object.fromEntries(
  Object.entries(given.keys).map(([text, { lasts, ...key }]) => [
    text,
    { can: all, ...key, ...(lasts !== undefined && { lasts: lasts * day }) },
  ]),
);

/** The accounts at the start, by name. */
const accounts = Object.entries(given.accounts).map(([name, { notes = 0, fields = [], ...account }]) => {
  const plain: Account = {
    ...{ mail: true, news: true, allowance: 50_000, domains: {}, templates: [], lists: [], stopped: [] },
    ...{ contacts: [], fields: [] },
  };
  const more = Array.from({ length: notes }, (_, index) => ({
    ...{ key: `note_${index}`, label: `Note ${index}`, type: "text" as const, fallback: null },
  }));
  return { name, account: { ...plain, ...account, fields: [...fields, ...more] } };
});

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

interface Membership {
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
  const accountStates = accounts.map(({ name, account }): [string, AccountState] => {
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
