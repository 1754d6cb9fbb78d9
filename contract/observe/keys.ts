import { accountOf, type Role, roles, type Settings } from "../engine/settings.ts";

/** The API key of a request: a role of the configuration, or a name without meaning. */
export interface KnownKey {
  role: Role;
  account: Role;
  /** Whether the configuration names it, and so says what it may do, which account it has and which other keys. */
  isConfigured: boolean;
}

export const recordedName = (role: Role): string => `key-${role}`;

/** The most keys that are distinguished. */
const most = 100_000;

export class Keys {
  readonly #known = new Map<string, KnownKey>();
  readonly #seen = new Set<Role>();
  #count = 0;
  /** Whether the account of each key that works is known. Otherwise, two keys may change the same things. */
  areAllKnown = true;

  constructor(configured: Settings["keys"] = {}) {
    const named = roles.map((role) => [role, recordedName(role)] as const);
    for (const [role, key] of [...named, ...(Object.entries(configured) as [Role, string][])])
      this.#known.set(key, { role, account: accountOf(role), isConfigured: true });
  }

  /** The key in an Authorization header; undefined if it has none. */
  of(authorization: string | undefined): KnownKey | undefined {
    const found = authorization === undefined ? undefined : this.#find(authorization);
    if (found !== undefined) this.#seen.add(found.role);
    return found;
  }

  #find(authorization: string): KnownKey | undefined {
    const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    // A record may have other texts in place of keys, the same for all.
    if (key === undefined || /^(\W+|.*(redacted|removed|hidden|masked).*|x+)$/is.test(key)) return undefined;
    const known = this.#known.get(key);
    if (known !== undefined || this.#known.size >= most) return known;
    this.#count += 1;
    // An account of its own, as long as nothing shows another one.
    const role = `key ${this.#count}` as Role;
    const added = { role, account: role, isConfigured: false };
    this.#known.set(key, added);
    return added;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** How many of them the configuration names. */
  get configured(): number {
    return roles.filter((role) => this.#seen.has(role)).length;
  }
}
