import { sql } from "kysely";
import { type Database, type Parameter, prepare } from "./database.ts";

interface Key {
  scope: string;
  key: string;
}

interface ClaimedKey extends Key {
  fingerprint: string;
  expires_at: number;
  now: number;
}

export interface NewMessage {
  id: string;
  account: string;
  listed: number;
  due_at: number | null;
  over_at: number | null;
  summary: string;
  content: string;
}

/** What a step changes of a message. */
export type ChangedMessage = Pick<NewMessage, "due_at" | "over_at" | "summary"> & { seq: number };

interface Usage {
  account: string;
  month: number;
  recipients: number;
}

export type Queries = ReturnType<typeof prepareQueries>;

/** The queries of requests and due messages. What is rare is compiled each time, where it is used. */
export function prepareQueries({ kysely: db, driver }: Database) {
  return {
    settings: prepare(() => db.selectFrom("settings").selectAll()),
    setting: prepare((value: Parameter<{ name: string }>) =>
      db.selectFrom("settings").select("value").where("name", "=", value("name")),
    ),
    /** Locks all settings: one that does not exist yet has no row to lock. */
    lockSettings: prepare((value: Parameter<{ name: string }>) =>
      db
        .updateTable("settings")
        .set(({ ref }) => ({ value: ref("value") }))
        .where("name", "=", value("name")),
    ),
    /** Reserves numbers. @returns the last one */
    reserve: prepare((value: Parameter<{ name: string; count: string }>) =>
      db
        .insertInto("settings")
        .values({ name: value("name"), value: value("count") })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({
            value: sql`cast(cast(settings.value as bigint) + cast(excluded.value as bigint) as text)`,
          }),
        )
        .returning("value"),
    ),
    findKey: prepare((value: Parameter<Key>) =>
      db
        .selectFrom("idempotency")
        .select(["fingerprint", "status", "body", "expires_at"])
        .where("scope", "=", value("scope"))
        .where("key", "=", value("key")),
    ),
    /**
     * Writes a record without its response, unless there is one that has not expired. A transaction with the same key waits here for the other one.
     *
     * @returns one row if it was written
     */
    claimKey: prepare((value: Parameter<ClaimedKey>) =>
      db
        .insertInto("idempotency")
        .values({
          scope: value("scope"),
          key: value("key"),
          fingerprint: value("fingerprint"),
          expires_at: value("expires_at"),
          status: 0,
          body: "",
        })
        .onConflict((conflict) =>
          conflict
            .columns(["scope", "key"])
            .doUpdateSet(({ ref }) => ({
              fingerprint: ref("excluded.fingerprint"),
              expires_at: ref("excluded.expires_at"),
            }))
            .where("idempotency.expires_at", "<=", value("now")),
        )
        .returning("scope"),
    ),
    setResponse: prepare((value: Parameter<Key & { status: number; body: string }>) =>
      db
        .updateTable("idempotency")
        .set({ status: value("status"), body: value("body") })
        .where("scope", "=", value("scope"))
        .where("key", "=", value("key")),
    ),
    releaseKey: prepare((value: Parameter<Key>) =>
      db.deleteFrom("idempotency").where("scope", "=", value("scope")).where("key", "=", value("key")),
    ),
    /** @param addresses a JSON list */
    suppressedAmong: prepare((value: Parameter<{ account: string; addresses: string }>) =>
      db
        .selectFrom("suppressions")
        .select("address")
        .where("account", "=", value("account"))
        .where("address", "in", driver.strings(sql.val(value("addresses")))),
    ),
    insertMessage: prepare((value: Parameter<NewMessage>) =>
      db.insertInto("messages").values({
        id: value("id"),
        account: value("account"),
        listed: value("listed"),
        due_at: value("due_at"),
        over_at: value("over_at"),
        summary: value("summary"),
        content: value("content"),
      }),
    ),
    /** Writes a message and counts its recipients, in one statement of PostgreSQL. @returns the recipients counted in that month */
    insertAndCount: prepare((value: Parameter<NewMessage & Usage>) => ({
      compile: () =>
        sql<{ recipients: number }>`
          with message as (
            insert into messages (id, account, listed, due_at, over_at, summary, content)
            values (${value("id")}, ${value("account")}, ${value("listed")}, ${value("due_at")}, ${value("over_at")}, ${value("summary")}, ${value("content")})
          )
          insert into usage (account, month, recipients)
          values (${value("account")}, ${value("month")}, ${value("recipients")})
          on conflict (account, month) do update set recipients = usage.recipients + excluded.recipients
          returning recipients`.compile(db),
    })),
    message: prepare((value: Parameter<{ account: string; id: string }>) =>
      db
        .selectFrom("messages")
        .select(["summary", "content"])
        .where("id", "=", value("id"))
        .where("account", "=", value("account")),
    ),
    lockMessage: prepare((value: Parameter<{ account: string; id: string }>) =>
      db
        .selectFrom("messages")
        .select(["seq", "summary"])
        .where("id", "=", value("id"))
        .where("account", "=", value("account"))
        .$if(driver.isPostgres, (query) => query.forUpdate()),
    ),
    /** Waits for other instances that process them, so that an advance of the clock ends once everything has happened. */
    lockDue: prepare((value: Parameter<{ until: number; limit: number }>) =>
      db
        .selectFrom("messages")
        .select(["seq", "summary"])
        .where("due_at", "<=", value("until"))
        .orderBy("due_at")
        .orderBy("seq")
        .limit(value("limit"))
        .$if(driver.isPostgres, (query) => query.forUpdate()),
    ),
    /** @param changes a JSON list of `ChangedMessage` */
    updateMessages: prepare((value: Parameter<{ changes: string }>) => ({
      compile: () =>
        sql<never>`
          update messages set
            due_at = cast(item.value ->> 'due_at' as bigint),
            over_at = cast(item.value ->> 'over_at' as bigint),
            summary = item.value ->> 'summary'
          from ${driver.entries(sql.val(value("changes")))}
          where seq = cast(item.value ->> 'seq' as bigint)`.compile(db),
    })),
    nextDue: prepare(() =>
      db
        .selectFrom("messages")
        .select("due_at")
        .where("due_at", "is not", null)
        .orderBy("due_at")
        .orderBy("seq")
        .limit(1),
    ),
    used: prepare((value: Parameter<Omit<Usage, "recipients">>) =>
      db
        .selectFrom("usage")
        .select("recipients")
        .where("account", "=", value("account"))
        .where("month", "=", value("month")),
    ),
    count: prepare((value: Parameter<Usage>) =>
      db
        .insertInto("usage")
        .values({ account: value("account"), month: value("month"), recipients: value("recipients") })
        .onConflict((conflict) =>
          conflict
            .columns(["account", "month"])
            .doUpdateSet({ recipients: sql`usage.recipients + excluded.recipients` }),
        )
        .returning("recipients"),
    ),
    contact: prepare((value: Parameter<{ account: string; email: string }>) =>
      db
        .selectFrom("contacts")
        .select("record")
        .where("account", "=", value("account"))
        .where("email", "=", value("email")),
    ),
    /** Locks a contact. A new one gets a row, so that two requests cannot both create it. @returns an empty record for a new one */
    lockContact: prepare((value: Parameter<{ account: string; email: string }>) =>
      db
        .insertInto("contacts")
        .values({ account: value("account"), email: value("email"), record: "" })
        .onConflict((conflict) =>
          conflict
            .columns(["account", "email"])
            .doUpdateSet(({ ref }) => ({ record: ref("contacts.record") })),
        )
        .returning("record"),
    ),
  };
}
