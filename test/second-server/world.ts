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

const all = ["email:send", "newsletter:read", "newsletter:manage"];
const day = 86_400_000;

/** All keys, revoked ones too. */
export const keys: Record<string, Key> = {
  "k-harbour-0001-everything": { account: "harbour", can: all },
  "k-harbour-0002-everything": { account: "harbour", can: all },
  "k-harbour-0003-mail": { account: "harbour", can: ["email:send"] },
  "k-harbour-0004-reading": { account: "harbour", can: ["newsletter:read"] },
  "k-harbour-0005-writing": { account: "harbour", can: ["newsletter:manage"] },
  "k-harbour-0006-one-domain": { account: "harbour", can: all, only: "pier.harbour.test" },
  "k-harbour-0007-taken-back": { account: "harbour", can: all, revoked: true },
  "k-harbour-0008-old": { account: "harbour", can: all, lasts: 4 * day },
  "k-lighthouse-0001": { account: "lighthouse", can: all },
  "k-reader-0001": { account: "reader", can: all },
  "k-mailer-0001": { account: "mailer", can: all },
  "k-beginner-0001": { account: "beginner", can: all },
  "k-ferry-0001": { account: "ferry", can: all },
  "k-racer-0001": { account: "racer", can: all },
  "k-dinghy-0001": { account: "dinghy", can: all },
};

const plain: Account = {
  mail: true,
  news: true,
  allowance: 50_000,
  domains: {},
  templates: [],
  lists: [],
  fields: [],
  stopped: [],
  contacts: [],
};

const harbour: Account = {
  ...plain,
  domains: {
    "harbour.test": "ready",
    "pier.harbour.test": "ready",
    "new.harbour.test": "waiting",
    "old.harbour.test": "halted",
  },
  templates: [
    { id: "tide-table", isPublished: true },
    { id: "winter-timetable", isPublished: false },
  ],
  lists: [
    { id: 7003, name: "Tides", asks: true },
    { id: 7001, name: "Departures", asks: false },
    { id: 7002, name: "Regatta", asks: false },
  ],
  fields: [
    { key: "berth", label: "Berth", type: "text", fallback: null },
    { key: "length_m", label: "Length in metres", type: "number", fallback: "0" },
    { key: "since", label: "With us since", type: "date", fallback: null },
    { key: "homepage", label: "Home page", type: "url", fallback: null },
    ...Array.from({ length: 24 }, (_, index) => ({
      key: `note_${index}`,
      label: `Note ${index}`,
      type: "text" as const,
      fallback: null,
    })),
  ],
  stopped: ["sunk@crew.test", "stranded@crew.test", "ashore@crew.test"],
  contacts: [
    { address: "silent@crew.test", list: 7003, state: "cleaned" },
    { address: "cross@crew.test", list: 7003, state: "complained" },
  ],
};

/** The accounts at the start, by name. */
const accounts: Record<string, Account> = {
  harbour,
  lighthouse: {
    ...plain,
    domains: { "lighthouse.test": "ready" },
    lists: [{ id: 7101, name: "Fog", asks: false }],
  },
  reader: {
    ...plain,
    mail: false,
    domains: { "reader.test": "ready" },
    lists: [{ id: 7201, name: "Books", asks: false }],
  },
  mailer: {
    ...plain,
    news: false,
    domains: { "mailer.test": "ready" },
    lists: [{ id: 7401, name: "Stamps", asks: false }],
    contacts: [{ address: "penny@crew.test", list: 7401, state: "cleaned" }],
  },
  beginner: plain,
  ferry: { ...plain, ceilingReached: true, domains: { "ferry.test": "ready" } },
  racer: {
    ...plain,
    domains: { "racer.test": "ready" },
    lists: [{ id: 7301, name: "Wind", asks: false }],
  },
  dinghy: { ...plain, allowance: 6, domains: { "dinghy.test": "ready" } },
};

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
