import type { Seed, SeedAccount } from "../../generated/schema-types.ts";
import { curlCommand } from "../../lib/shell.ts";
import { parseDuration } from "../../lib/text.ts";

// The accounts of a sandbox, as `seed.schema.json` describes them.
export type {
  Seed,
  SeedAccount,
  SeedContact,
  SeedKey,
  SeedMembership,
  SeedMessage,
} from "../../generated/schema-types.ts";

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
