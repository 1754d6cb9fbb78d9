import { hash, timingSafeEqual } from "node:crypto";
import { abilities } from "../../generated/operations.ts";
import { parseDuration } from "../../lib/duration.ts";
import type { Directory } from "../domain/directory.ts";
import type { ApiKey } from "../domain/records.ts";
import { keyId, type Seed, type SeedAccount, type SeedKey } from "./seed.ts";

const digestOf = (key: string): Buffer => hash("sha256", key, "buffer");

/** Creates the directory of a seed. @param startedAt the start of the durations in the seed, in milliseconds */
export function createDirectory(seed: Seed, startedAt: number): Directory {
  const accounts = new Map(seed.accounts.map((account) => [account.id, accountData(account)]));
  const domains = new Map(
    [...accounts.values()].flatMap((data) => data.domains.map((domain) => [domain.name, domain])),
  );
  const keys = new Map(
    seed.accounts.flatMap((account) =>
      account.keys.map((entry, index) => {
        const digest = digestOf(entry.key);
        return [digest.toString("latin1"), { digest, key: apiKey(account, entry, index, startedAt) }];
      }),
    ),
  );
  const dataOf = (accountId: string) => {
    const data = accounts.get(accountId);
    if (data === undefined) throw new Error(`unknown account ${accountId}`);
    return data;
  };
  return {
    simulatorDomain: (seed.simulatorDomain ?? "simulator.example").toLowerCase(),
    // Looked up by hash, so that the timing of the map reveals nothing about a key, and compared in constant time.
    key(presented) {
      const digest = digestOf(presented);
      const found = keys.get(digest.toString("latin1"));
      return found !== undefined && timingSafeEqual(found.digest, digest) ? found.key : undefined;
    },
    account: (id) => dataOf(id).account,
    accounts: () => [...accounts.values()].map(({ account }) => account),
    domain: (name) => domains.get(name.toLowerCase()),
    domains: (accountId) => dataOf(accountId).domains,
    lists: (accountId) => dataOf(accountId).lists,
    list: (accountId, id) => dataOf(accountId).lists.find((list) => list.id === id),
    fields: (accountId) => dataOf(accountId).fields,
    template: (accountId, id) => dataOf(accountId).templates.find((template) => template.id === id),
  };
}

const apiKey = (account: SeedAccount, entry: SeedKey, index: number, startedAt: number): ApiKey => ({
  id: keyId(account, index),
  accountId: account.id,
  label: entry.label ?? keyId(account, index),
  abilities: entry.abilities ?? Object.keys(abilities),
  domain: entry.domain?.toLowerCase() ?? null,
  revoked: entry.revoked ?? false,
  stopsAt: entry.stopsAt === undefined ? null : stopTime(entry.stopsAt, startedAt),
});

function stopTime(text: string, startedAt: number): number {
  const length = parseDuration(text);
  return length === undefined ? Date.parse(text) : startedAt + length;
}

function accountData(seed: SeedAccount) {
  const { id: accountId, products = ["email", "newsletter"] } = seed;
  const { domains = [], lists = [], customFields = [], templates = [] } = seed;
  return {
    account: {
      id: accountId,
      name: seed.name ?? accountId,
      products: { email: products.includes("email"), newsletter: products.includes("newsletter") },
      monthlyQuota: seed.monthlyQuota ?? 10_000,
      atSendingCeiling: seed.atSendingCeiling ?? false,
    },
    domains: domains.map(({ name, state = "verified" }) => ({ accountId, name: name.toLowerCase(), state })),
    lists: lists.map((list) => ({ doubleOptIn: false, ...list, accountId })),
    fields: customFields.map((field) => ({ label: field.key, fallback: null, ...field, accountId })),
    templates: templates.map((template) => ({
      ...{ published: true, html: null, text: null },
      ...template,
      accountId,
    })),
  };
}
