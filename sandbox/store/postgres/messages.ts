import type { Message } from "../../domain/records.ts";
import type { MessagePage, MessageSummary, Store } from "../../domain/store.ts";
import { type WholeRow, withContent } from "../message-rows.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { addCounts, addSuppressions, effectRows } from "./effects.ts";
import { all, Group } from "./group.ts";
import { MessageLists } from "./message-lists.ts";
import { changedRows, columns, updateRows } from "./message-rows.ts";
import { wantedRows } from "./wanted-rows.ts";

const find: Statement = {
  name: "find_messages",
  text: `SELECT ${columns}, content
    FROM ${wantedRows({ account: "text", id: "text" })} JOIN message USING (epoch, account, id)`,
};

const statements = {
  reschedule: {
    name: "reschedule",
    text: `UPDATE message SET scheduled_at = $4, due_at = $4
      WHERE epoch = $1 AND id = $3 AND account = $2 AND status = 'scheduled' RETURNING seq`,
  },
  cancel: {
    name: "cancel",
    text: `UPDATE message SET status = 'canceled', due_at = NULL
      WHERE epoch = $1 AND id = $3 AND account = $2 AND status = 'scheduled' RETURNING seq`,
  },
  nextDue: {
    name: "next_due",
    text: "SELECT min(due_at) AS due FROM message WHERE epoch = $1 AND due_at IS NOT NULL",
  },
  lock: {
    name: "lock_message",
    text: `SELECT ${columns}, content FROM message WHERE epoch = $1 AND account = $2 AND id = $3 FOR UPDATE`,
  },
  update: {
    name: "update_message",
    text: `WITH counts AS (${addCounts(10)}), suppressions AS (${addSuppressions(13)})
      ${updateRows}`,
  },
} as const satisfies Record<string, Statement>;

interface Key {
  accountId: string;
  id: string;
}

/** The table of messages, without what happens at their due times. */
export class Messages {
  readonly #database: Database;
  readonly #epoch: number;
  readonly #lists: MessageLists;
  readonly #finds: Group<Key, Message | undefined>;

  constructor(database: Database, epoch: number) {
    this.#database = database;
    this.#epoch = epoch;
    this.#lists = new MessageLists(database, epoch);
    this.#finds = new Group({ run: (keys) => this.#findAll(keys).then(all), size: 16, concurrent: 2 });
  }

  find(accountId: string, id: string): Promise<Message | undefined> {
    return this.#finds.add({ accountId, id });
  }

  async list({ search = "", ...page }: MessagePage): Promise<Message[]> {
    if (search.trim() === "") return this.#lists.list(page);
    const found = await this.#lists.summaries({ search, ...page });
    const messages = await Promise.all(found.map(({ accountId, id }) => this.find(accountId, id)));
    return messages.filter((message) => message !== undefined);
  }

  summaries(page: MessagePage): Promise<MessageSummary[]> {
    return this.#lists.summaries(page);
  }

  async reschedule(accountId: string, id: string, scheduledAt: number): Promise<boolean> {
    const values = [this.#epoch, accountId, id, scheduledAt];
    return (await this.#database.query(statements.reschedule, values)).length === 1;
  }

  async cancel(accountId: string, id: string): Promise<boolean> {
    return (await this.#database.query(statements.cancel, [this.#epoch, accountId, id])).length === 1;
  }

  async nextDue(): Promise<number | null> {
    const [row] = await this.#database.query<{ due: number | null }>(statements.nextDue, [this.#epoch]);
    return row?.due ?? null;
  }

  change(...[accountId, id, step]: Parameters<Store["change"]>): ReturnType<Store["change"]> {
    return this.#database.transaction(async (transaction: Transaction) => {
      const [row] = await transaction.query<WholeRow>(statements.lock, [this.#epoch, accountId, id]);
      if (row === undefined) return undefined;
      const found = withContent(row);
      const result = step(found);
      if (result === undefined) return found;
      const changed = changedRows([{ seq: row.seq, message: result.message }]);
      await transaction.commit(statements.update, [this.#epoch, ...changed, ...effectRows([result])]);
      return { ...result.message, content: found.content };
    });
  }

  async #findAll(keys: Key[]): Promise<(Message | undefined)[]> {
    const accounts = keys.map(({ accountId }) => accountId);
    const ids = keys.map(({ id }) => id);
    const rows = await this.#database.query<WholeRow>(find, [this.#epoch, accounts, ids]);
    return keys.map(({ accountId, id }) => {
      const row = rows.find((one) => one.id === id && one.account === accountId);
      return row && withContent(row);
    });
  }
}
