import type { Account, ApiKey, CustomField, NewsletterList, SendingDomain, Template } from "./records.ts";

/** Accounts with their keys, domains, lists, fields and templates. Requests never change it. */
export interface Directory {
  /**
   * The key presented, by hash in constant time; undefined when the service did not issue it. Revoked ones and those whose time
   * is over are found too: the caller decides.
   */
  key(presented: string): ApiKey | undefined;
  /** @throws Error for an unknown id */
  account(id: string): Account;
  accounts(): Account[];
  domain(name: string): SendingDomain | undefined;
  domains(accountId: string): SendingDomain[];
  lists(accountId: string): NewsletterList[];
  list(accountId: string, id: number): NewsletterList | undefined;
  fields(accountId: string): CustomField[];
  template(accountId: string, id: string): Template | undefined;
  /** The domain of the simulated recipients. */
  simulatorDomain: string;
}
