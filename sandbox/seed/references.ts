import { abilities } from "../../generated/operations.ts";
import { parseDuration } from "../../lib/duration.ts";
import type { Fault } from "./check.ts";
import { keyId, type Seed, type SeedAccount } from "./seed.ts";

/** A hundred years: well within the range of Date. */
const longest = 100 * 366 * 86_400_000;

type Path = (string | number)[];

/** What a schema cannot say of a seed that has its shape: names stand once, and what is referred to is there. */
export function references(seed: Seed): Fault[] {
  const faults: Fault[] = [];
  const seen = new Map<string, Path>();
  const once = (kind: string, value: string | number, path: Path): void => {
    const name = `${kind} ${value}`;
    if (seen.has(name)) faults.push({ path, says: `is there twice: ${JSON.stringify(value)}` });
    seen.set(name, path);
  };
  for (const [index, account] of seed.accounts.entries()) {
    const path = ["accounts", index];
    once("account", account.id, [...path, "id"]);
    checkKeys(account, path, once, faults);
    for (const [at, domain] of (account.domains ?? []).entries())
      once("domain", domain.name.toLowerCase(), [...path, "domains", at, "name"]);
    for (const [at, { id }] of (account.templates ?? []).entries())
      once(`template of ${account.id}`, id, [...path, "templates", at, "id"]);
    for (const [at, { id }] of (account.lists ?? []).entries())
      once("list", id, [...path, "lists", at, "id"]);
    for (const [at, { key }] of (account.customFields ?? []).entries())
      once(`field of ${account.id}`, key, [...path, "customFields", at, "key"]);
    checkContacts(account, path, once, faults);
  }
  return faults;
}

type Once = (kind: string, value: string | number, path: Path) => void;

function checkKeys(account: SeedAccount, path: Path, once: Once, faults: Fault[]): void {
  const domains = (account.domains ?? []).map(({ name }) => name.toLowerCase());
  for (const [index, key] of account.keys.entries()) {
    const at = [...path, "keys", index];
    once("key", key.key, [...at, "key"]);
    once("key id", keyId(account, index), key.id === undefined ? at : [...at, "id"]);
    for (const [place, ability] of (key.abilities ?? []).entries()) {
      if (!Object.hasOwn(abilities, ability))
        faults.push({
          path: [...at, "abilities", place],
          says: `is ${JSON.stringify(ability)}, not one of ${Object.keys(abilities).join(", ")}`,
        });
    }
    if (key.domain !== undefined && !domains.includes(key.domain.toLowerCase()))
      faults.push({
        path: [...at, "domain"],
        says: `is ${JSON.stringify(key.domain)}, which is no domain of the account`,
      });
    if (key.stopsAt !== undefined) checkStop(key.stopsAt, [...at, "stopsAt"], faults);
  }
}

function checkContacts(account: SeedAccount, path: Path, once: Once, faults: Fault[]): void {
  const lists = new Set((account.lists ?? []).map(({ id }) => id));
  for (const [index, contact] of (account.contacts ?? []).entries()) {
    const at = [...path, "contacts", index];
    once(`contact of ${account.id}`, contact.email.toLowerCase(), [...at, "email"]);
    checkFields(account, contact.fields ?? {}, [...at, "fields"], faults);
    for (const [place, membership] of (contact.memberships ?? []).entries()) {
      const here = [...at, "memberships", place];
      once(`membership of ${account.id} ${contact.email.toLowerCase()}`, membership.list, [...here, "list"]);
      if (!lists.has(membership.list))
        faults.push({
          path: [...here, "list"],
          says: `is ${membership.list}, which is no list of the account`,
        });
      for (const name of ["subscribedAt", "unsubscribedAt"] as const)
        if (membership[name] !== undefined) checkTime(membership[name], [...here, name], faults);
    }
  }
}

function checkFields(
  account: SeedAccount,
  fields: Record<string, string | number>,
  path: Path,
  faults: Fault[],
): void {
  for (const [key, value] of Object.entries(fields)) {
    const type = account.customFields?.find((field) => field.key === key)?.type;
    if (type === undefined) faults.push({ path: [...path, key], says: "is no custom field of the account" });
    else if (!fits(type, value))
      faults.push({ path: [...path, key], says: `is ${JSON.stringify(value)}, not a ${type}` });
  }
}

function fits(type: string, value: string | number): boolean {
  if (type === "number") return typeof value === "number";
  if (typeof value !== "string") return false;
  if (type === "date") return /^\d{4}-\d\d-\d\d$/.test(value) && validTime(`${value}T00:00:00Z`);
  return type !== "url" || /^https?:$/.test(URL.parse(value)?.protocol ?? "");
}

function checkStop(text: string, path: Path, faults: Fault[]): void {
  if (!text.startsWith("P")) checkTime(text, path, faults);
  else if ((parseDuration(text) ?? 0) > longest)
    faults.push({ path, says: `is ${JSON.stringify(text)}, which is longer than a hundred years` });
}

function checkTime(text: string, path: Path, faults: Fault[]): void {
  if (!validTime(text)) faults.push({ path, says: `is ${JSON.stringify(text)}, and there is no such time` });
}

// An offset leads out of the years that have four digits in UTC too.
const earliestWritten = Date.parse("0000-01-01T00:00:00Z");
const latestWritten = Date.parse("9999-12-31T23:59:59.999Z");

/** Whether a time exists: `Date` would make the 1st of March of a 30th of February. */
function validTime(text: string): boolean {
  const day = Number(text.slice(8, 10));
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const time = Date.parse(text);
  return midnight.getUTCDate() === day && time >= earliestWritten && time <= latestWritten;
}
