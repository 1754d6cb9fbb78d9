import { parseDuration } from "../../lib/text.ts";
import type { CustomField, MembershipStatus, SendingDomain } from "../domain/records.ts";

/** The accounts of a sandbox, as `seed.schema.json` describes them. */
export interface Seed {
  $schema?: string;
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
  suppressions?: { email: string; reason?: string }[];
  messages?: SeedMessage[];
}

export interface SeedKey {
  key: string;
  id?: string;
  label?: string;
  /** Default: every ability. */
  abilities?: string[];
  domain?: string;
  revoked?: boolean;
  /** An ISO 8601 time, or a duration after the start of the sandbox. */
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

/** A scheduled message. */
export interface SeedMessage {
  id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** An ISO 8601 time, or a duration after the start of the sandbox. */
  scheduledAt: string;
}

/** A time, or one that is a duration after the start of the sandbox, in milliseconds. */
export function timeAfter(start: number, text: string): number {
  const length = parseDuration(text);
  return length === undefined ? Date.parse(text) : start + length;
}

/** The id of a key; default: `<account>.key-<n>`, counted from 1. */
export const keyId = (account: SeedAccount, index: number): string =>
  account.keys[index]?.id ?? `${account.id}.key-${index + 1}`;
