import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { limits } from "../../generated/limits.ts";
import type { Message, MessageStatus } from "../domain/records.ts";
import type { DueMessage, MessageSummary, Page } from "../domain/store.ts";

/** A message and its place in the table. */
export interface StoredMessage {
  seq: number;
  message: DueMessage;
}

type Row = Record<string, SQLOutputValue>;

const lookup = limits.messageLookup * 24 * 60 * 60 * 1000;

/** The table of messages, and that of what they say. */
export class Messages {
  readonly #numberIn: (id: string) => number;
  readonly #insert: StatementSync;
  readonly #insertContent: StatementSync;
  readonly #update: StatementSync;
  readonly #find: StatementSync;
  readonly #newest: StatementSync;
  readonly #newestOf: StatementSync;
  readonly #summaries: StatementSync;
  readonly #summariesOf: StatementSync;
  readonly #place: StatementSync;
  readonly #reschedule: StatementSync;
  readonly #cancel: StatementSync;
  readonly #earliest: StatementSync;
  readonly #due: StatementSync;
  readonly #releaseClaims: StatementSync;
  readonly #oldest: StatementSync;
  readonly #delete: StatementSync;
  readonly #deleteContent: StatementSync;

  constructor(database: DatabaseSync, numberIn: (id: string) => number) {
    this.#numberIn = numberIn;
    const whole = "SELECT * FROM message JOIN content USING (seq)";
    const own = "seq = ? AND id = ? AND account = ?";
    this.#insert = database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#insertContent = database.prepare("INSERT INTO content VALUES (?, ?)");
    this.#update = database.prepare(
      "UPDATE message SET status = ?, scheduled_at = ?, sent_at = ?, due_at = ?, progress = ? WHERE seq = ?",
    );
    this.#find = database.prepare(`${whole} WHERE ${own}`);
    const newest = "WHERE seq < ? ORDER BY seq DESC LIMIT ?";
    const newestOf = "WHERE seq < ? AND account = ? ORDER BY seq DESC LIMIT ?";
    this.#newest = database.prepare(`${whole} ${newest}`);
    this.#newestOf = database.prepare(`${whole} ${newestOf}`);
    this.#summaries = database.prepare(`SELECT * FROM message ${newest}`);
    this.#summariesOf = database.prepare(`SELECT * FROM message ${newestOf}`);
    this.#place = database.prepare("SELECT seq FROM message WHERE seq = ? AND id = ?");
    const onlyScheduled = `WHERE ${own} AND status = 'scheduled'`;
    this.#reschedule = database.prepare(`UPDATE message SET scheduled_at = ?, due_at = ? ${onlyScheduled}`);
    this.#cancel = database.prepare(`UPDATE message SET status = 'canceled', due_at = NULL ${onlyScheduled}`);
    this.#earliest = database.prepare("SELECT min(due_at) AS due_at FROM message WHERE due_at IS NOT NULL");
    this.#due = database.prepare("SELECT * FROM message WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?");
    // Claims are leases on messages that are on their way out; whatever else is due later has its reasons.
    this.#releaseClaims = database.prepare(
      "UPDATE message SET due_at = ?1 WHERE due_at > ?1 AND progress ->> '$.relay.state' IN ('claimed', 'sending')",
    );
    this.#oldest = database.prepare(
      "SELECT seq, status, created_at, scheduled_at, sent_at FROM message ORDER BY seq",
    );
    this.#delete = database.prepare("DELETE FROM message WHERE seq = ?");
    this.#deleteContent = database.prepare("DELETE FROM content WHERE seq = ?");
  }

  insert(message: Message): void {
    const seq = this.#numberIn(message.id);
    this.#insert.run(
      seq,
      message.id,
      message.accountId,
      message.status,
      message.createdAt,
      message.scheduledAt,
      message.sentAt,
      message.dueAt,
      envelopeOf(message),
      progressOf(message),
    );
    this.#insertContent.run(seq, JSON.stringify(message.content));
  }

  find(accountId: string, id: string): Message | undefined {
    const row = this.#find.get(this.#numberIn(id), id, accountId);
    return row && withContent(row);
  }

  place(accountId: string, id: string): { seq: number; message: Message } | undefined {
    const row = this.#find.get(this.#numberIn(id), id, accountId);
    return row && { seq: row.seq as number, message: withContent(row) };
  }

  list(page: Page): Message[] {
    return this.#page(page, this.#newest, this.#newestOf).map(withContent);
  }

  summaries(page: Page): MessageSummary[] {
    return this.#page(page, this.#summaries, this.#summariesOf).map((row) => ({
      ...fromRow(row),
      subject: String(JSON.parse(row.envelope as string).subject ?? ""),
    }));
  }

  #page({ accountId, limit, before }: Page, all: StatementSync, ofAccount: StatementSync): Row[] {
    const end = before === undefined ? Number.MAX_SAFE_INTEGER : this.#placeOf(before);
    return accountId === undefined ? all.all(end, limit) : ofAccount.all(end, accountId, limit);
  }

  reschedule(accountId: string, id: string, scheduledAt: number): boolean {
    return this.#reschedule.run(scheduledAt, scheduledAt, this.#numberIn(id), id, accountId).changes === 1;
  }

  cancel(accountId: string, id: string): boolean {
    return this.#cancel.run(this.#numberIn(id), id, accountId).changes === 1;
  }

  earliestDue(): number | null {
    return (this.#earliest.get()?.due_at ?? null) as number | null;
  }

  /** Those due at `until` or before, the earliest first. */
  due(until: number, limit: number): StoredMessage[] {
    return this.#due.all(until, limit).map((row) => ({ seq: row.seq as number, message: fromRow(row) }));
  }

  /** @returns whether there was any */
  releaseClaims(dueAt: number): boolean {
    return this.#releaseClaims.run(dueAt).changes > 0;
  }

  update({ seq, message }: StoredMessage): void {
    this.#update.run(
      message.status,
      message.scheduledAt,
      message.sentAt,
      message.dueAt,
      progressOf(message),
      seq,
    );
  }

  /**
   * Messages whose look-up is over: 30 days after sending or, for those that were never sent, after the time they were meant for. A message cannot be
   * sent before it was taken, so that those taken less than 30 days ago need no look.
   */
  forget(now: number): void {
    const over: number[] = [];
    for (const row of this.#oldest.iterate()) {
      if (Number(row.created_at) > now - lookup) break;
      const since = Number(row.sent_at ?? row.scheduled_at ?? row.created_at);
      if (row.status !== "scheduled" && since <= now - lookup) over.push(row.seq as number);
    }
    for (const seq of over) {
      this.#delete.run(seq);
      this.#deleteContent.run(seq);
    }
  }

  #placeOf(id: string): number {
    return Number(this.#place.get(this.#numberIn(id), id)?.seq ?? 0);
  }
}

/** What never changes, and is small. The subject stands here a second time, so that lists need not read whole messages. */
const envelopeOf = ({ from, to, cc, bcc, tags, content: { subject } }: Message): string =>
  JSON.stringify({ from, to, cc, bcc, tags, subject });

/** Everything that changes in the life of a message and has no column of its own; what is undefined leaves no trace. */
const progressOf = (message: DueMessage & { relay?: unknown }): string => {
  const { deliveredAt, bouncedAt, complainedAt, bounce, events, relay } = message;
  return JSON.stringify({ deliveredAt, bouncedAt, complainedAt, bounce, events, relay });
};

function fromRow(row: Row): DueMessage {
  const { subject: _, ...envelope } = JSON.parse(row.envelope as string);
  return {
    id: row.id as string,
    accountId: row.account as string,
    ...envelope,
    status: row.status as MessageStatus,
    createdAt: row.created_at as number,
    scheduledAt: row.scheduled_at as number | null,
    sentAt: row.sent_at as number | null,
    ...JSON.parse(row.progress as string),
    dueAt: row.due_at as number | null,
  };
}

const withContent = (row: Row): Message => ({ ...fromRow(row), content: JSON.parse(row.data as string) });
