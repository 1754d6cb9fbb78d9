import type { Message } from "../../domain/records.ts";
import { searchCondition, searchedMessages } from "../../domain/retention.ts";
import type { MessagePage, MessageSummary, Page } from "../../domain/store.ts";
import { type MessageRow, summaryOf, type WholeRow, withContent } from "../message-rows.ts";
import type { Database, Statement } from "./database.ts";
import { columns } from "./message-rows.ts";

const listed = "FROM message WHERE epoch = $1 AND listed";
/** Nothing comes before a message that does not exist. */
const before = `seq < CASE WHEN $3::text IS NULL THEN 9223372036854775807
  ELSE coalesce((SELECT seq FROM message WHERE epoch = $1 AND id = $3), 0) END`;
const page = `${listed} AND ${before} ORDER BY seq DESC LIMIT $2`;
const pageOf = `${listed} AND account = $4 AND ${before} ORDER BY seq DESC LIMIT $2`;

const statements = {
  list: { name: "list", text: `SELECT ${columns}, content ${page}` },
  listOf: { name: "list_of", text: `SELECT ${columns}, content ${pageOf}` },
  summaries: { name: "summaries", text: `SELECT ${columns} ${page}` },
  summariesOf: { name: "summaries_of", text: `SELECT ${columns} ${pageOf}` },
} as const satisfies Record<string, Statement>;

/** How many messages a search reads at a time. */
const searchStep = 1_000;

/** Lists of messages, the newest first. */
export class MessageLists {
  readonly #database: Database;
  readonly #epoch: number;

  constructor(database: Database, epoch: number) {
    this.#database = database;
    this.#epoch = epoch;
  }

  async list(wanted: Page): Promise<Message[]> {
    return (await this.#page<WholeRow>(wanted, statements.list, statements.listOf)).map(withContent);
  }

  async summaries({ search = "", ...wanted }: MessagePage): Promise<MessageSummary[]> {
    if (search.trim() !== "") return this.#search(search, wanted);
    const rows = await this.#page<MessageRow>(wanted, statements.summaries, statements.summariesOf);
    return rows.map(summaryOf);
  }

  async #search(search: string, { limit, ...wanted }: Page): Promise<MessageSummary[]> {
    const isFound = searchCondition(search);
    const found: MessageSummary[] = [];
    const step: Page = { ...wanted, limit: searchStep };
    for (let read = 0; read < searchedMessages && found.length < limit; read += searchStep) {
      const some = await this.summaries(step);
      found.push(...some.filter(isFound));
      const last = some.at(-1);
      if (last === undefined || some.length < searchStep) break;
      step.before = last.id;
    }
    return found.slice(0, limit);
  }

  #page<Row>({ accountId, limit, before: last }: Page, list: Statement, listOf: Statement): Promise<Row[]> {
    const values = [this.#epoch, limit, last ?? null];
    return accountId === undefined
      ? this.#database.query(list, values)
      : this.#database.query(listOf, [...values, accountId]);
  }
}
