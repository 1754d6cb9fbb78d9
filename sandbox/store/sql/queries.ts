import { type RawBuilder, sql } from "kysely";
import type { Page } from "../../domain/store.ts";
import { type Database, type Parameter, prepare } from "./database.ts";
import type { Tables } from "./tables.ts";

type Key = Pick<Tables["idempotency"], "scope" | "key">;
type ClaimedKey = Omit<Tables["idempotency"], "status" | "body"> & { now: number };

export type NewMessage = Omit<Tables["messages"], "seq">;

export type ChangedMessage = Pick<NewMessage, "due_at" | "over_at" | "summary"> & { seq: number };

export type Queries = ReturnType<typeof prepareQueries>;

const insertion = (value: Parameter<NewMessage>) => sql`
  insert into messages (id, account, listed, due_at, over_at, summary, content)
  values (
    ${value("id")}, ${value("account")}, ${value("listed")}, ${value("due_at")}, ${value("over_at")},
    ${value("summary")}, ${value("content")}
  )`;

const counting = (value: Parameter<Tables["usage"]>) => sql`
  insert into usage (account, month, recipients)
  values (${value("account")}, ${value("month")}, ${value("recipients")})
  on conflict (account, month) do update set recipients = usage.recipients + excluded.recipients
  returning recipients`;

/** The condition, order and limit of a page of rows, the newest first. */
export const inPage = (table: "messages" | "requests", { accountId, limit, before }: Page) => sql`
  ${accountId === undefined ? sql`true` : sql`account = ${accountId}`}
  and ${before === undefined ? sql`true` : sql`seq < (select seq from ${sql.table(table)} where id = ${before})`}
  order by seq desc limit ${limit}`;

/** The queries of requests and due messages. What is rare is compiled each time, where it is used. */
export function prepareQueries({ kysely: db, driver }: Database) {
  const query = <Values extends object, Row>(build: (value: Parameter<Values>) => RawBuilder<Row>) =>
    prepare(db, build);
  const locked = sql.raw(driver.isPostgres ? "for update" : "");
  return {
    settings: query(() => sql<Tables["settings"]>`select name, value from settings`),
    setting: query(
      (value: Parameter<{ name: string }>) =>
        sql<{ value: string }>`select value from settings where name = ${value("name")}`,
    ),
    /** Locks all settings: one that does not exist yet has no row to lock. */
    lockSettings: query(
      (value: Parameter<{ name: string }>) =>
        sql<never>`update settings set value = value where name = ${value("name")}`,
    ),
    /** Reserves numbers. @returns the last one */
    reserve: query(
      (value: Parameter<{ name: string; count: string }>) => sql<{ value: string }>`
        insert into settings (name, value) values (${value("name")}, ${value("count")})
        on conflict (name) do update
        set value = cast(cast(settings.value as bigint) + cast(excluded.value as bigint) as text)
        returning value`,
    ),
    findKey: query(
      (value: Parameter<Key>) => sql<Omit<Tables["idempotency"], keyof Key>>`
        select fingerprint, status, body, expires_at from idempotency
        where scope = ${value("scope")} and key = ${value("key")}`,
    ),
    /**
     * Writes a record without its response, unless there is one that has not expired. A transaction with the same key waits here for the other one.
     * @returns one row if it was written
     */
    claimKey: query(
      (value: Parameter<ClaimedKey>) => sql<{ scope: string }>`
        insert into idempotency (scope, key, fingerprint, status, body, expires_at)
        values (${value("scope")}, ${value("key")}, ${value("fingerprint")}, 0, '', ${value("expires_at")})
        on conflict (scope, key) do update
        set fingerprint = excluded.fingerprint, expires_at = excluded.expires_at
        where idempotency.expires_at <= ${value("now")}
        returning scope`,
    ),
    setResponse: query(
      (value: Parameter<Key & { status: number; body: string }>) => sql<never>`
        update idempotency set status = ${value("status")}, body = ${value("body")}
        where scope = ${value("scope")} and key = ${value("key")}`,
    ),
    releaseKey: query(
      (value: Parameter<Key>) => sql<never>`
        delete from idempotency where scope = ${value("scope")} and key = ${value("key")}`,
    ),
    /** @param addresses a JSON list */
    suppressedAmong: query(
      (value: Parameter<{ account: string; addresses: string }>) => sql<{ address: string }>`
        select address from suppressions
        where account = ${value("account")} and address in ${driver.strings(sql.val(value("addresses")))}`,
    ),
    insertMessage: query((value: Parameter<NewMessage>) => insertion(value)),
    /** Writes a message and counts its recipients, in one statement of PostgreSQL. @returns the recipients counted in that month */
    insertAndCount: query(
      (value: Parameter<NewMessage & Tables["usage"]>) =>
        sql<{ recipients: number }>`with message as (${insertion(value)}) ${counting(value)}`,
    ),
    message: query(
      (value: Parameter<{ account: string; id: string }>) => sql<{ summary: string; content: string }>`
        select summary, content from messages where id = ${value("id")} and account = ${value("account")}`,
    ),
    lockMessage: query(
      (value: Parameter<{ account: string; id: string }>) => sql<{ seq: number; summary: string }>`
        select seq, summary from messages
        where id = ${value("id")} and account = ${value("account")} ${locked}`,
    ),
    /** Waits for other instances that process them, so that an advance of the clock ends once everything has happened. */
    lockDue: query(
      (value: Parameter<{ until: number; limit: number }>) => sql<{ seq: number; summary: string }>`
        select seq, summary from messages where due_at <= ${value("until")}
        order by due_at, seq limit ${value("limit")} ${locked}`,
    ),
    /** @param changes a JSON list of `ChangedMessage` */
    updateMessages: query(
      (value: Parameter<{ changes: string }>) => sql<never>`
        update messages set
          due_at = cast(item.value ->> 'due_at' as bigint),
          over_at = cast(item.value ->> 'over_at' as bigint),
          summary = item.value ->> 'summary'
        from ${driver.entries(sql.val(value("changes")))}
        where seq = cast(item.value ->> 'seq' as bigint)`,
    ),
    nextDue: query(
      () => sql<{ due_at: number }>`
        select due_at from messages where due_at is not null order by due_at, seq limit 1`,
    ),
    used: query(
      (value: Parameter<Omit<Tables["usage"], "recipients">>) => sql<{ recipients: number }>`
        select recipients from usage where account = ${value("account")} and month = ${value("month")}`,
    ),
    count: query((value: Parameter<Tables["usage"]>) => sql<{ recipients: number }>`${counting(value)}`),
    contact: query(
      (value: Parameter<{ account: string; email: string }>) => sql<{ record: string }>`
        select record from contacts where account = ${value("account")} and email = ${value("email")}`,
    ),
    /** Locks a contact. A new one gets a row, so that two requests cannot both create it. @returns an empty record for a new one */
    lockContact: query(
      (value: Parameter<{ account: string; email: string }>) => sql<{ record: string }>`
        insert into contacts (account, email, record) values (${value("account")}, ${value("email")}, '')
        on conflict (account, email) do update set record = contacts.record
        returning record`,
    ),
  };
}
