import { hash } from "node:crypto";
import type { Contact, Membership, MembershipStatus } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import type { Seed, SeedAccount, SeedContact, SeedMembership } from "./seed.ts";

const day = 86_400_000;
const setting = "seed-planted-at";

/**
 * Puts the seed's contacts and suppressed addresses into a store that has none yet. A store that was planted before is left as it
 * is, so that a sandbox that starts again on its data goes on where it was.
 *
 * @param now the time of the sandbox
 * @returns when the store was planted: the start that the seed's durations count from
 */
export async function plantSeed(store: Store, seed: Seed, now: number): Promise<number> {
  const planted = store.setting(setting);
  if (planted !== undefined) return Number(planted);
  // All in one turn, and so in one commit.
  await Promise.all([
    ...seed.accounts.flatMap((account) => [
      ...plantContacts(store, account, now),
      ...suppress(store, account, now),
    ]),
    store.setSetting(setting, String(now)),
  ]);
  return now;
}

const plantContacts = (store: Store, account: SeedAccount, now: number): Promise<unknown>[] =>
  (account.contacts ?? []).map((entry) => {
    const contact = contactOf(account.id, entry, now);
    const decide = () => ({ contact, response: { status: 201, body: "" }, result: undefined });
    return store.changeContact({
      accountId: account.id,
      email: contact.email,
      now,
      idempotency: null,
      decide,
    });
  });

const suppress = (store: Store, account: SeedAccount, now: number): Promise<void>[] =>
  (account.suppressed ?? []).map(({ address, reason = "hard bounce" }) =>
    store.suppress(account.id, address.toLowerCase(), reason, now),
  );

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

/** When somebody joined and left. A time that is left out never puts the leaving before the joining. */
function timesOf(entry: SeedMembership, now: number): { joined: number; left: number } {
  const said = (text: string | undefined, usual: number) => (text === undefined ? usual : Date.parse(text));
  const latest = entry.status === "unsubscribed" ? said(entry.unsubscribedAt, now) : now;
  const joined = said(entry.subscribedAt, Math.min(now - 30 * day, latest));
  return { joined, left: said(entry.unsubscribedAt, Math.max(now - day, joined)) };
}

function membershipOf(email: string, entry: SeedMembership, now: number): Membership {
  const { joined, left } = timesOf(entry, now);
  const status: MembershipStatus = entry.status;
  return {
    listId: entry.list,
    status,
    subscribedAt: status === "pending" ? null : joined,
    unsubscribedAt: status === "unsubscribed" ? left : null,
    consents: [
      { detail: entry.consent ?? "Came with the seed of the sandbox", ip: null, userAgent: null, at: joined },
    ],
    reason: entry.reason ?? null,
    confirmation: status === "pending" ? hash("sha256", `${entry.list} ${email}`).slice(0, 24) : null,
  };
}
