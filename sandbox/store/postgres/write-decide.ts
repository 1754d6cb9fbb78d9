import type { Contact, Message } from "../../domain/records.ts";
import type { IdempotencyRecord, Replay, StoredResponse } from "../../domain/store.ts";
import { monthOf } from "../../domain/times.ts";
import type { Count } from "./effects.ts";
import type { Settled } from "./group.ts";
import { contactName, type Known, recordName, type Wanted } from "./write-read.ts";

/** An acceptance of messages or a change of a contact. */
export interface Write extends Wanted {
  now: number;
  idempotency: IdempotencyRecord | null;
  decide(suppressed: ReadonlySet<string>, contact: Contact | undefined): Decided;
}

type Decided =
  | { error: unknown }
  | {
      messages: Message[];
      /** Null for a change that does not return how many recipients are counted. */
      counted: number | null;
      contact?: Contact | undefined;
      response: StoredResponse;
      result?: unknown;
    };

export type WriteOutcome =
  | { replay: Replay }
  | { error: unknown }
  | { response: StoredResponse; used: number; result: unknown };

/** The rows that a group of writes has decided on. */
export interface Rows {
  records: (IdempotencyRecord & { response: StoredResponse; createdAt: number })[];
  /** The last state of each; `version` is that after the change. */
  contacts: Map<string, { contact: Contact; version: number }>;
  messages: Message[];
  counts: Count[];
}

/** What each call gets once the rows are written. */
export type Outcome = (usedOf: (count: Count) => number) => Settled<WriteOutcome>;

/** Decides the calls, one after the other: each one knows what those before it have decided. */
export function decideAll(writes: readonly Write[], known: Known): { rows: Rows; outcomes: Outcome[] } {
  const rows: Rows = { records: [], contacts: new Map(), messages: [], counts: [] };
  const outcomes = writes.map((write): Outcome => {
    const replay = replayOf(write, known);
    if (replay !== undefined) return () => ({ value: { replay } });
    try {
      return decideOne(write, known, rows);
    } catch (error) {
      return () => ({ error });
    }
  });
  return { rows, outcomes };
}

export function replayOf(
  { idempotency, now }: { idempotency: Pick<IdempotencyRecord, "scope" | "key"> | null; now: number },
  known: Pick<Known, "replays">,
): Replay | undefined {
  const replay = idempotency === null ? undefined : known.replays.get(recordName(idempotency));
  if (replay === undefined || replay.expiresAt <= now) return undefined;
  return { fingerprint: replay.fingerprint, response: replay.response };
}

function decideOne(write: Write, known: Known, rows: Rows): Outcome {
  const { accountId, recipients, idempotency, now } = write;
  const name = write.contact === null ? "" : contactName(accountId, write.contact);
  const before = known.contacts.get(name);
  const addresses = known.suppressed.get(accountId);
  const suppressed = new Set(addresses === undefined ? [] : recipients.filter((to) => addresses.has(to)));
  const decided = write.decide(suppressed, before?.contact);
  if ("error" in decided) return () => ({ value: decided });
  const { messages, counted, contact, response, result } = decided;
  rows.messages.push(...messages);
  if (contact !== undefined) changeContact(name, contact, known, rows);
  if (idempotency !== null) {
    // By name: the fingerprint of a large request is computed when it is read, and no copy of the record would have it.
    const { scope, key, fingerprint, expiresAt } = idempotency;
    rows.records.push({ scope, key, fingerprint, expiresAt, response, createdAt: now });
    known.replays.set(recordName(idempotency), { fingerprint, response, expiresAt });
  }
  if (counted === null) return () => ({ value: { response, used: 0, result } });
  const count: Count = { account: accountId, month: monthOf(now), recipients: counted };
  rows.counts.push(count);
  return (usedOf) => ({ value: { response, used: usedOf(count), result } });
}

/** Several changes of a contact in a group are written as one. */
function changeContact(name: string, contact: Contact, known: Known, rows: Rows): void {
  const version = rows.contacts.get(name)?.version ?? (known.contacts.get(name)?.version ?? 0) + 1;
  rows.contacts.set(name, { contact, version });
  known.contacts.set(name, { contact, version });
}
