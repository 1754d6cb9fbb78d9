import { curlCommand } from "../../lib/shell.ts";
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

interface SeedTemplate {
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

/** A curl command that sends a message; empty if no account of the seed can send. */
export function firstRequest(url: string, { accounts, simulatorDomain = "simulator.example" }: Seed): string {
  for (const { keys, domains = [], products = ["email"], atSendingCeiling = false } of accounts) {
    if (atSendingCeiling || !products.includes("email")) continue;
    for (const { key, domain, revoked, stopsAt, abilities = ["email:send"] } of keys) {
      const from = domains.find(
        ({ name, state = "verified" }) =>
          state === "verified" && (domain ?? name).toLowerCase() === name.toLowerCase(),
      );
      if (from === undefined || revoked || stopsAt !== undefined || !abilities.includes("email:send"))
        continue;
      // The schema of the seed allows no quotes in keys and domains.
      return curlCommand({
        method: "POST",
        url: `${url}/api/v1/emails`,
        headers: [`'Authorization: Bearer ${key}'`, "'Content-Type: application/json'"],
        body: `-d '{ "from": "hello@${from.name}",
        "to": ["success@${simulatorDomain}"],
        "subject": "First message", "text": "It works." }'`,
      });
    }
  }
  return "";
}
