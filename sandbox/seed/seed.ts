import type { CustomField, MembershipStatus, SendingDomain } from "../domain/records.ts";

/** A seed as people write it: what `seed.schema.json` describes. Most of it can be left out. */
export interface Seed {
  $schema?: string;
  /** The domain of the simulated recipients. */
  simulatorDomain?: string;
  accounts: SeedAccount[];
}

export interface SeedAccount {
  id: string;
  name?: string;
  products?: ("email" | "newsletter")[];
  monthlyQuota?: number;
  atSendingCeiling?: boolean;
  keys: SeedKey[];
  domains?: { name: string; state?: SendingDomain["state"] }[];
  templates?: SeedTemplate[];
  lists?: { id: number; name: string; doubleOptIn?: boolean }[];
  customFields?: { key: string; label?: string; type: CustomField["type"]; fallback?: string | null }[];
  contacts?: SeedContact[];
  suppressed?: { address: string; reason?: string }[];
}

export interface SeedKey {
  /** The key as calls carry it. */
  key: string;
  id?: string;
  label?: string;
  /** Every ability, where it is left out. */
  abilities?: string[];
  domain?: string;
  revoked?: boolean;
  /** A time, or how long after the start of the sandbox (ISO 8601 both). */
  stopsAt?: string;
}

export interface SeedTemplate {
  id: string;
  published?: boolean;
  subject: string;
  html?: string;
  text?: string;
}

export interface SeedContact {
  email: string;
  firstName?: string;
  lastName?: string;
  fields?: Record<string, string | number>;
  tags?: string[];
  marketingBlocked?: boolean;
  memberships?: SeedMembership[];
}

export interface SeedMembership {
  list: number;
  status: MembershipStatus;
  subscribedAt?: string;
  unsubscribedAt?: string;
  consent?: string;
  reason?: string;
}

/** The id of a key that a seed left out: its account and its place among the account's keys, counted from 1. */
export const keyId = (account: SeedAccount, index: number): string =>
  account.keys[index]?.id ?? `${account.id}.key-${index + 1}`;
