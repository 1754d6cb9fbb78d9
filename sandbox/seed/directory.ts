import { hash, timingSafeEqual } from "node:crypto";
import { abilities } from "../../generated/operations.ts";
import { parseDuration } from "../../lib/duration.ts";
import type { Directory } from "../domain/directory.ts";
import type {
  Account,
  ApiKey,
  CustomField,
  NewsletterList,
  SendingDomain,
  Template,
} from "../domain/records.ts";
import { keyId, type Seed, type SeedAccount, type SeedKey } from "./seed.ts";

/** What one account has. */
interface AccountData {
  account: Account;
  domains: SendingDomain[];
  lists: NewsletterList[];
  fields: CustomField[];
  templates: Template[];
}

interface KnownKey {
  digest: Buffer;
  key: ApiKey;
}

const digestOf = (key: string): Buffer => hash("sha256", key, "buffer");

/** Creates the directory of a seed. @param startedAt the start of the durations in the seed, in milliseconds */
export function createDirectory(seed: Seed, startedAt: number): Directory {
  const accounts = new Map(seed.accounts.map((account) => [account.id, accountData(account)]));
  const domains = new Map(
    [...accounts.values()].flatMap((held) => held.domains.map((domain) => [domain.name, domain])),
  );
  const known = new Map(seed.accounts.flatMap((account) => knownKeys(account, startedAt)));
  const held = (accountId: string): AccountData => {
    const found = accounts.get(accountId);
    if (found === undefined) throw new Error(`unknown account ${accountId}`);
    return found;
  };
  return {
    simulatorDomain: (seed.simulatorDomain ?? "simulator.example").toLowerCase(),
    key: (presented) => findKey(known, presented),
    account: (id) => held(id).account,
    accounts: () => [...accounts.values()].map(({ account }) => account),
    domain: (name) => domains.get(name.toLowerCase()),
    domains: (accountId) => held(accountId).domains,
    lists: (accountId) => held(accountId).lists,
    list: (accountId, id) => held(accountId).lists.find((list) => list.id === id),
    fields: (accountId) => held(accountId).fields,
    template: (accountId, id) => held(accountId).templates.find((template) => template.id === id),
  };
}

/** Looks up the hash, so that the timing of the map reveals nothing about a key, and compares hashes in constant time. */
function findKey(known: Map<string, KnownKey>, presented: string): ApiKey | undefined {
  const digest = digestOf(presented);
  const candidate = known.get(digest.toString("latin1"));
  return candidate !== undefined && timingSafeEqual(candidate.digest, digest) ? candidate.key : undefined;
}

const knownKeys = (account: SeedAccount, startedAt: number): [string, KnownKey][] =>
  account.keys.map((entry, index) => {
    const digest = digestOf(entry.key);
    return [digest.toString("latin1"), { digest, key: apiKey(account, entry, index, startedAt) }];
  });

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

function accountData(seed: SeedAccount): AccountData {
  const accountId = seed.id;
  const products = seed.products ?? ["email", "newsletter"];
  return {
    account: {
      id: accountId,
      name: seed.name ?? accountId,
      products: { email: products.includes("email"), newsletter: products.includes("newsletter") },
      monthlyQuota: seed.monthlyQuota ?? 10_000,
      atSendingCeiling: seed.atSendingCeiling ?? false,
    },
    domains: (seed.domains ?? []).map(({ name, state = "verified" }) => ({
      accountId,
      name: name.toLowerCase(),
      state,
    })),
    lists: (seed.lists ?? []).map(({ id, name, doubleOptIn = false }) => ({
      accountId,
      id,
      name,
      doubleOptIn,
    })),
    fields: (seed.customFields ?? []).map(({ key, label = key, type, fallback = null }) => ({
      accountId,
      key,
      label,
      type,
      fallback,
    })),
    templates: (seed.templates ?? []).map((template) => ({
      published: true,
      html: null,
      text: null,
      ...template,
      accountId,
    })),
  };
}
