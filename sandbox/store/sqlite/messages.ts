import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Queued } from "../../domain/due.ts";
import type { Message } from "../../domain/records.ts";
import { isOver, keptFor, searchCondition, searchedMessages } from "../../domain/retention.ts";
import type { MessagePage, MessageSummary } from "../../domain/store.ts";
import {
  envelopeOf,
  fromRow,
  type MessageRow,
  progressOf,
  summaryOf,
  timesOf,
  type WholeRow,
  withContent,
} from "../message-rows.ts";

/** Gets each due time that is written, except by steps of due messages. */
export type NoteDue = (dueAt: number | null) => void;

function statements(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  const whole = "SELECT message.*, data AS content FROM message JOIN content USING (seq)";
  const own = "seq = ? AND id = ? AND account = ?";
  // Messages of the seed have negative numbers: no request sent them, so lists omit them.
  const newest = "WHERE seq > 0 AND seq < ? ORDER BY seq DESC LIMIT ?";
  const newestOf = "WHERE seq > 0 AND seq < ? AND account = ? ORDER BY seq DESC LIMIT ?";
  const scheduled = `WHERE ${own} AND status = 'scheduled'`;
  return {
    insert: sql("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
    insertContent: sql("INSERT INTO content VALUES (?, ?)"),
    update: sql(
      "UPDATE message SET status = ?, scheduled_at = ?, sent_at = ?, due_at = ?, progress = ? WHERE seq = ?",
    ),
    find: sql(`${whole} WHERE ${own}`),
    newest: sql(`${whole} ${newest}`),
    newestOf: sql(`${whole} ${newestOf}`),
    summaries: sql(`SELECT * FROM message ${newest}`),
    summariesOf: sql(`SELECT * FROM message ${newestOf}`),
    sequence: sql("SELECT seq FROM message WHERE seq = ? AND id = ?"),
    reschedule: sql(`UPDATE message SET scheduled_at = ?, due_at = ? ${scheduled}`),
    cancel: sql(`UPDATE message SET status = 'canceled', due_at = NULL ${scheduled}`),
    earliest: sql("SELECT min(due_at) AS due_at FROM message WHERE due_at IS NOT NULL"),
    due: sql("SELECT * FROM message WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?"),
    oldest: sql("SELECT seq, status, created_at, scheduled_at, sent_at FROM message ORDER BY seq"),
    delete: sql("DELETE FROM message WHERE seq = ?"),
    deleteContent: sql("DELETE FROM content WHERE seq = ?"),
  };
}

/** The table of messages, and that of their content. */
export class Messages {
  readonly #numberIn: (id: string) => number;
  readonly #noteDue: NoteDue;
  readonly #sql: ReturnType<typeof statements>;

  constructor(database: DatabaseSync, numberIn: (id: string) => number, noteDue: NoteDue) {
    this.#numberIn = numberIn;
    this.#noteDue = noteDue;
    this.#sql = statements(database);
  }

  insert(message: Message): void {
    const { id, accountId, status, createdAt, scheduledAt, sentAt, dueAt } = message;
    const seq = this.#numberIn(id);
    const times = [createdAt, scheduledAt, sentAt, dueAt];
    this.#sql.insert.run(seq, id, accountId, status, ...times, envelopeOf(message), progressOf(message));
    this.#sql.insertContent.run(seq, JSON.stringify(message.content));
    this.#noteDue(dueAt);
  }

  find(accountId: string, id: string): Message | undefined {
    return this.stored(accountId, id)?.message;
  }

  stored(accountId: string, id: string): { seq: number; message: Message } | undefined {
    const row = this.#sql.find.get(this.#numberIn(id), id, accountId) as WholeRow | undefined;
    return row && { seq: row.seq, message: withContent(row) };
  }

  list(page: MessagePage): Message[] {
    return this.#page<WholeRow>(page, this.#sql.newest, this.#sql.newestOf).map(withContent);
  }

  summaries(page: MessagePage): MessageSummary[] {
    return this.#page<MessageRow>(page, this.#sql.summaries, this.#sql.summariesOf).map(summaryOf);
  }

  #page<Row extends MessageRow>(
    { accountId, limit, before, search = "" }: MessagePage,
    all: StatementSync,
    ofAccount: StatementSync,
  ): Row[] {
    const end =
      before === undefined
        ? Number.MAX_SAFE_INTEGER
        : Number(this.#sql.sequence.get(this.#numberIn(before), before)?.seq ?? 0);
    const rows = (most: number) =>
      (accountId === undefined
        ? all.iterate(end, most)
        : ofAccount.iterate(end, accountId, most)) as unknown as IteratorObject<Row>;
    if (search.trim() === "") return [...rows(limit)];
    const isFound = searchCondition(search);
    return [
      ...rows(searchedMessages)
        .filter((row) => isFound(summaryOf(row)))
        .take(limit),
    ];
  }

  reschedule(accountId: string, id: string, scheduledAt: number): boolean {
    const { changes } = this.#sql.reschedule.run(scheduledAt, scheduledAt, this.#numberIn(id), id, accountId);
    if (changes === 1) this.#noteDue(scheduledAt);
    return changes === 1;
  }

  cancel(accountId: string, id: string): boolean {
    return this.#sql.cancel.run(this.#numberIn(id), id, accountId).changes === 1;
  }

  earliestDue(): number | null {
    return (this.#sql.earliest.get()?.due_at ?? null) as number | null;
  }

  /** The messages due at `until` or before, the earliest first. */
  due(until: number, limit: number): Queued[] {
    const rows = this.#sql.due.all(until, limit) as unknown as MessageRow[];
    return rows.map((row) => ({ seq: row.seq, message: fromRow(row) }));
  }

  update({ seq, message }: Queued): void {
    const { status, scheduledAt, sentAt, dueAt } = message;
    this.#sql.update.run(status, scheduledAt, sentAt, dueAt, progressOf(message), seq);
  }

  /** The loop ends at messages that were accepted too recently to be over. */
  forget(now: number): void {
    const over: number[] = [];
    for (const row of this.#sql.oldest.iterate() as Iterable<MessageRow>) {
      if (row.created_at > now - keptFor.messages) break;
      if (isOver(timesOf(row), now)) over.push(row.seq);
    }
    for (const seq of over) {
      this.#sql.delete.run(seq);
      this.#sql.deleteContent.run(seq);
    }
  }
}
