import { curlCommand } from "../../lib/shell.ts";
import type { Seed } from "./seed.ts";

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
