import { abilities } from "../../generated/operations.ts";
import type {
  Account,
  ApiKey,
  CustomField,
  NewsletterList,
  SendingDomain,
  Template,
} from "../domain/records.ts";
import { keyId, type Seed, type SeedAccount, type SeedKey, timeAfter } from "./seed.ts";

/** Accounts with their keys, domains, lists, fields and templates. Requests never change it. */
export type Directory = ReturnType<typeof createDirectory>;

/** Creates the directory of a seed. @param startedAt the start of the durations in the seed, in milliseconds */
export function createDirectory(seed: Seed, startedAt: number) {
  const accounts = new Map(seed.accounts.map((account) => [account.id, accountData(account)]));
  const keys = new Map(
    seed.accounts.flatMap((account) =>
      account.keys.map((entry, index) => [entry.key, apiKey(account, entry, index, startedAt)]),
    ),
  );
  const dataOf = (accountId: string) => {
    const data = accounts.get(accountId);
    if (data === undefined) throw new Error(`unknown account ${accountId}`);
    return data;
  };
  return {
    /** The domain of the simulated recipients. */
    simulatorDomain: (seed.simulatorDomain ?? "simulator.example").toLowerCase(),
    /**
     * The key presented; undefined when the service did not issue it. Revoked ones and those whose time is over are found too: the caller
     * decides. Keys of a sandbox are no secrets: its pages show them.
     */
    key: (presented: string): ApiKey | undefined => keys.get(presented),
    keys: (): ApiKey[] => [...keys.values()],
    /** @throws Error for an unknown id */
    account: (id: string): Account => dataOf(id).account,
    accounts: (): Account[] => [...accounts.values()].map(({ account }) => account),
    domains: (accountId: string): SendingDomain[] => dataOf(accountId).domains,
    lists: (accountId: string): NewsletterList[] => dataOf(accountId).lists,
    list: (accountId: string, id: number): NewsletterList | undefined =>
      dataOf(accountId).lists.find((list) => list.id === id),
    fields: (accountId: string): CustomField[] => dataOf(accountId).fields,
    template: (accountId: string, id: string): Template | undefined =>
      dataOf(accountId).templates.find((template) => template.id === id),
  };
}

const apiKey = (account: SeedAccount, entry: SeedKey, index: number, startedAt: number): ApiKey => ({
  id: keyId(account, index),
  accountId: account.id,
  label: entry.label ?? keyId(account, index),
  abilities: entry.abilities ?? Object.keys(abilities),
  domain: entry.domain?.toLowerCase() ?? null,
  revoked: entry.revoked ?? false,
  stopsAt: entry.stopsAt === undefined ? null : timeAfter(startedAt, entry.stopsAt),
});

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
    domains: domains.map(({ name, state = "verified" }) => ({ name: name.toLowerCase(), state })),
    lists: lists.map((list) => ({ doubleOptIn: false, ...list, accountId })),
    fields: customFields.map((field) => ({ label: field.key, fallback: null, ...field })),
    templates: templates.map((template) => ({ published: true, html: null, text: null, ...template })),
  };
}
