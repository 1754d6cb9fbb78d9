import { hash } from "node:crypto";
import type { Contact, Membership, Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import { day } from "../domain/times.ts";
import { type Seed, type SeedContact, type SeedMembership, type SeedMessage, timeAfter } from "./seed.ts";

/**
 * Loads the seed of a sandbox.
 * @param source the path of a YAML or JSON file, or a seed; default: the demo seed
 * @throws UserError that lists every problem, with its line in a file
 */
export async function loadSeed(source?: string | Seed): Promise<Seed> {
  if (source === undefined) {
    // A test validates the demo seed, so that no start has to.
    const { default: demo } = await import("./demo.json", { with: { type: "json" } });
    return demo as Seed;
  }
  // Loaded on demand: a start with the demo seed needs no validator.
  const { checkSeed, readSeed } = await import("./check.ts");
  return typeof source === "string" ? readSeed(source) : checkSeed(source);
}

const timeSetting = "seeded-at";
const digestSetting = "seed";

/**
 * What a store starts with: the contacts, suppressions and messages of a seed.
 * @param now the time of the sandbox, in milliseconds: the start of the durations in the seed
 * @param settings further settings
 */
export function initialState(seed: Seed, now: number, settings: Readonly<Record<string, string>> = {}) {
  const { accounts } = seed;
  return {
    settings: { ...settings, [timeSetting]: String(now), [digestSetting]: digestOf(seed) },
    contacts: accounts.flatMap(({ id, contacts = [] }) => contacts.map((entry) => contactOf(id, entry, now))),
    suppressions: accounts.flatMap(({ id: accountId, suppressions = [] }) =>
      suppressions.map(({ email, reason = "hard bounce" }) => ({
        ...{ accountId, address: email.toLowerCase() },
        ...{ reason, at: now },
      })),
    ),
    messages: accounts.flatMap(({ id, messages = [] }) => messages.map((entry) => messageOf(id, entry, now))),
  };
}

/** When a store got its initial state: the start of the durations in the seed. */
export const filledAt = (store: Pick<Store, "setting">): number => Number(store.setting(timeSetting));

/** Whether a seeded store was filled from a seed with other accounts, contacts, suppressions or messages. */
export const isOtherSeed = (store: Pick<Store, "setting">, seed: Seed): boolean =>
  store.setting(digestSetting) !== digestOf(seed);

/** A digest of what is stored: everything else is read from the seed at each start. */
const digestOf = ({ accounts }: Seed): string =>
  hash(
    "sha256",
    JSON.stringify(
      accounts.map(({ id, contacts, suppressions, messages }) => [id, contacts, suppressions, messages]),
    ),
  );

function messageOf(accountId: string, entry: SeedMessage, now: number): Message {
  const { id, from, to, subject, text } = entry;
  const scheduledAt = timeAfter(now, entry.scheduledAt);
  return {
    ...{ id, accountId, from, to, cc: [], bcc: [], tags: {} },
    content: { subject, html: null, text, reply_to: null, headers: {}, attachments: [] },
    ...{ status: "scheduled", createdAt: now, scheduledAt, dueAt: scheduledAt },
    ...{ sentAt: null, deliveredAt: null, bouncedAt: null, complainedAt: null, bounce: null, events: [] },
  };
}

function contactOf(accountId: string, entry: SeedContact, now: number): Contact {
  const email = entry.email.toLowerCase();
  return {
    accountId,
    email,
    firstName: entry.firstName ?? null,
    lastName: entry.lastName ?? null,
    fields: entry.fields ?? {},
    tags: entry.tags ?? [],
    marketingBlocked: entry.marketingBlocked ?? false,
    memberships: (entry.memberships ?? []).map((membership) => membershipOf(email, membership, now)),
  };
}

function membershipOf(email: string, entry: SeedMembership, now: number): Membership {
  const { list, status, consent = "Loaded from the seed of the sandbox", reason = null } = entry;
  const { subscribedAt, unsubscribedAt } = timesOf(entry, now);
  return {
    listId: list,
    status,
    subscribedAt: status === "pending" ? null : subscribedAt,
    unsubscribedAt: status === "unsubscribed" ? unsubscribedAt : null,
    consents: [{ detail: consent, ip: null, userAgent: null, at: subscribedAt }],
    reason,
    confirmation: status === "pending" ? hash("sha256", `${list} ${email}`).slice(0, 24) : null,
  };
}

/** The times of a membership. A default never puts `unsubscribedAt` before `subscribedAt`. */
function timesOf(entry: SeedMembership, now: number): { subscribedAt: number; unsubscribedAt: number } {
  const parse = (text: string | undefined, fallback: number) =>
    text === undefined ? fallback : Date.parse(text);
  const latest = entry.status === "unsubscribed" ? parse(entry.unsubscribedAt, now) : now;
  const subscribedAt = parse(entry.subscribedAt, Math.min(now - 30 * day, latest));
  return { subscribedAt, unsubscribedAt: parse(entry.unsubscribedAt, Math.max(now - day, subscribedAt)) };
}
