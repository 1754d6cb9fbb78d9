import type { Contact } from "../../domain/records.ts";
import type { IdempotencyRecord, Replay } from "../../domain/store.ts";
import type { Session, Statement } from "./database.ts";
import { wantedRows } from "./wanted-rows.ts";

const findRecords: Statement = {
  name: "find_records",
  text: `SELECT scope, key, fingerprint, status, body, expires_at
    FROM ${wantedRows({ scope: "text", key: "text" })} JOIN idempotency_record USING (epoch, scope, key)`,
};

const findSuppressions: Statement = {
  name: "find_suppressions",
  text: `SELECT account, address
    FROM ${wantedRows({ account: "text", address: "text" })} JOIN suppression USING (epoch, account, address)`,
};

const findContacts: Statement = {
  name: "find_contacts",
  text: `SELECT account, email, version, data
    FROM ${wantedRows({ account: "text", email: "text" })} JOIN contact USING (epoch, account, email)`,
};

type Key = Pick<IdempotencyRecord, "scope" | "key">;

interface RecordRow extends Key {
  fingerprint: string;
  status: number;
  body: string;
  expires_at: number;
}

/** A response to replay, until its record expires. */
export type KnownReplay = Replay & { expiresAt: number };

/** What a group of writes reads before it decides, and what it has decided so far. */
export interface Known {
  /** By `recordName`. */
  replays: Map<string, KnownReplay>;
  /** By account: the suppressed ones of the recipients. */
  suppressed: Map<string, Set<string>>;
  /** By `contactName`. */
  contacts: Map<string, { contact: Contact; version: number }>;
}

export interface Wanted {
  accountId: string;
  recipients: readonly string[];
  idempotency: Key | null;
  /** The email address of the contact to change. */
  contact: string | null;
}

export const recordName = ({ scope, key }: Key): string => `${scope}\n${key}`;
export const contactName = (account: string, email: string): string => `${account}\n${email}`;

/** Reads what the calls need, in one round trip. */
export async function readKnown(session: Session, epoch: number, wanted: readonly Wanted[]): Promise<Known> {
  const [replays, suppressed, contacts] = await Promise.all([
    readReplays(
      session,
      epoch,
      wanted.map(({ idempotency }) => idempotency).filter((key) => key !== null),
    ),
    readSuppressed(session, epoch, wanted),
    readContacts(session, epoch, wanted),
  ]);
  return { replays, suppressed, contacts };
}

/** The records with these keys, even expired ones. */
export async function readReplays(
  session: Session,
  epoch: number,
  keys: readonly Key[],
): Promise<Map<string, KnownReplay>> {
  if (keys.length === 0) return new Map();
  const values = [epoch, keys.map(({ scope }) => scope), keys.map(({ key }) => key)];
  const rows = await session.query<RecordRow>(findRecords, values);
  return new Map(
    rows.map((row) => {
      const { fingerprint, status, body, expires_at: expiresAt } = row;
      return [recordName(row), { fingerprint, response: { status, body }, expiresAt }];
    }),
  );
}

async function readSuppressed(
  session: Session,
  epoch: number,
  wanted: readonly Wanted[],
): Promise<Known["suppressed"]> {
  const found: Known["suppressed"] = new Map();
  const pairs = wanted.flatMap(({ accountId, recipients }) =>
    recipients.map((to) => [accountId, to] as const),
  );
  if (pairs.length === 0) return found;
  const values = [epoch, pairs.map(([account]) => account), pairs.map(([, address]) => address)];
  for (const { account, address } of await session.query<{ account: string; address: string }>(
    findSuppressions,
    values,
  )) {
    const addresses = found.get(account) ?? new Set();
    found.set(account, addresses.add(address));
  }
  return found;
}

async function readContacts(
  session: Session,
  epoch: number,
  wanted: readonly Wanted[],
): Promise<Known["contacts"]> {
  const changed = wanted.filter(({ contact }) => contact !== null);
  if (changed.length === 0) return new Map();
  const values = [epoch, changed.map(({ accountId }) => accountId), changed.map(({ contact }) => contact)];
  const rows = await session.query<{ account: string; email: string; version: number; data: string }>(
    findContacts,
    values,
  );
  return new Map(
    rows.map(({ account, email, version, data }) => [
      contactName(account, email),
      { contact: JSON.parse(data), version },
    ]),
  );
}
