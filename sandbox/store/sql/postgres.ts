import { setTimeout as wait } from "node:timers/promises";
import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from "kysely";
import pg from "pg";
import { UserError } from "../../../lib/user-error.ts";
import { rateWindow } from "../../domain/rate-windows.ts";
import { StoreUnavailableError } from "../../domain/store.ts";
import { Database, type Parameter, prepare, type SqlDriver } from "./database.ts";
import { parseDatabaseUrl } from "./postgres-url.ts";
import type { Tables } from "./tables.ts";

/** How long to wait for a connection, a statement, and a reply of a server that does not respond at all, in milliseconds. */
const limits = { connect: 5_000, statement: 10_000, reply: 15_000 };

/** How long to wait at the start for a database that cannot be reached, in milliseconds: containers start at the same time. */
const startTimeout = 30_000;

/** The most connections of one instance. */
const most = 10;

/** The tables of the sandbox, apart from others in the database. */
const schema = "email_sandbox";

/** Once per connection. A plan is kept as long as the connection, and must suit tables that were empty when it was made. */
const settings = `SET search_path = ${schema}; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off;
SET statement_timeout = ${limits.statement}; SET idle_in_transaction_session_timeout = ${limits.statement}`;

/** Numbers of 64 bits are times, counts and sequences: all of them are exact as JavaScript numbers. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format),
};

/** The codes of PostgreSQL for a schema or table that another instance has created at the same time. */
const createdMeanwhile = new Set(["23505", "42P06", "42P07"]);

/**
 * Opens a database, for one of several instances. Waits up to `timeout` milliseconds for one that cannot be reached, and calls `onError` once if
 * it has to wait.
 * @param data the URL, such as postgres://user@host:5432/database; what it lacks comes from the usual variables, such as PGPASSWORD
 * @throws UserError when the database cannot be used
 */
export async function openPostgres(
  data: string,
  {
    timeout = startTimeout,
    onError = () => {},
  }: { timeout?: number; onError?: (error: unknown) => void } = {},
): Promise<{ database: Database; shown: string }> {
  const url = parseDatabaseUrl(data);
  const end = performance.now() + timeout;
  const database = new Database(driverOf(url.url));
  for (let isFirst = true; ; isFirst = false) {
    try {
      await prepareSchema(database);
      return { database, shown: url.shown };
    } catch (thrown) {
      const failure = thrown instanceof StoreUnavailableError ? thrown.cause : thrown;
      const error = failure instanceof ConnectionError ? failure.cause : failure;
      const isEarlier = createdMeanwhile.has(codeOf(error));
      if (!(isEarlier || isUnavailable(error)) || isTlsError(error) || performance.now() >= end) {
        await database.close();
        throw userErrorOf(error, url.shown);
      }
      if (isFirst && !isEarlier)
        onError(
          new UserError(
            `the database ${url.shown} cannot be reached yet: ${reasonOf(error)}; trying again for ${timeout / 1_000} seconds`,
          ),
        );
      await wait(isEarlier ? 50 : 500);
    }
  }
}

async function prepareSchema(database: Database): Promise<void> {
  const [row] = await database.rows(
    sql<{ is_new: boolean }>`select to_regnamespace(${schema}) is null as is_new`,
  );
  if (row?.is_new) await database.rows(sql`create schema if not exists ${sql.ref(schema)}`);
  await database.migrate();
}

function driverOf(url: string): SqlDriver {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "email-sandbox",
    connectionTimeoutMillis: limits.connect,
    query_timeout: limits.reply,
    keepAlive: true,
    types,
    max: most,
    pipeline: true,
    onConnect: (client) => client.query(settings).then(() => {}),
  } as pg.PoolConfig);
  // Without listeners, a connection that is lost would end the process. The query in progress rejects too.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    isPostgres: true,
    dialect: new PostgresDialect({
      pool: { connect: () => connect(pool), end: () => pool.end(), options: pool.options },
    }),
    strings: (list) => sql`(select jsonb_array_elements_text(${list}::jsonb))`,
    entries: (list) => sql`jsonb_array_elements(${list}::jsonb) as item(value)`,
    countRequest,
    async resetRates(db) {
      await db.deleteFrom("rate_windows").execute();
      await db.deleteFrom("rate_requests").execute();
    },
    isConflict: (error) => conflicts.has(codeOf(error)),
    isFailure: (error) => error instanceof ConnectionError || isUnavailable(error),
    reasonOf,
  };
}

/** The names of prepared statements by their texts. Lists of different lengths would be too many. */
const names = new Map<string, string>();
const longestNamed = 1_000;

function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return name;
}

/** A connection could not be opened. */
class ConnectionError extends Error {}

/** Lends a connection. One that fails is not used again. */
async function connect(pool: pg.Pool): Promise<PostgresPoolClient> {
  const client = await pool.connect().catch((error) => {
    throw new ConnectionError(reasonOf(error), { cause: error });
  });
  const { stream } = (client as pg.PoolClient & Pick<pg.Client, "connection">).connection;
  let isLost = false;
  return {
    async query(text: string, values: readonly unknown[]) {
      // All queries of this turn are sent at once: each write takes longer than what it sends.
      stream.cork();
      process.nextTick(() => stream.uncork());
      if (text === "begin") {
        // Sent with the next query, which fails too if this one does.
        client.query(text).catch(() => {});
        return { command: "BEGIN", rowCount: 0, rows: [] };
      }
      const isNamed = values.length > 0 && text.length <= longestNamed;
      try {
        return await client.query({
          ...{ text, values: values.map(withoutNul) },
          ...(isNamed && { name: nameOf(text) }),
        });
      } catch (error) {
        isLost ||= isUnavailable(error);
        throw error;
      }
    },
    release: () => client.release(isLost),
  } as unknown as PostgresPoolClient;
}

/** PostgreSQL has no NUL in texts. No text of a request that is accepted has one. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;

/** The largest number that the database has for a limit. */
const largest = 2 ** 31 - 1;

/**
 * Counts a request in one statement. It locks the row of the account, so that instances count one after the other, and subtracts the requests
 * that are over a minute old.
 */
async function countRequest(db: Kysely<Tables>, account: string, now: number, limit: number) {
  const values = { account, now, since: now - rateWindow, limit: Math.min(limit, largest) };
  const [{ used = 0, counted = 0 } = {}] = await counting(db, values);
  if (counted === 1) return { used: used - 1, oldest: null };
  const oldest = await db
    .selectFrom("rate_requests")
    .select(({ fn }) => fn.min("at").as("at"))
    .where("account", "=", account)
    .executeTakeFirst();
  return { used, oldest: oldest?.at ?? null };
}

/** Compiles without a connection. */
const compiler = new Kysely<Tables>({
  dialect: new PostgresDialect({
    pool: async () => {
      throw new Error("not connected");
    },
  }),
});

const counting = prepare(
  compiler,
  (value: Parameter<{ account: string; now: number; since: number; limit: number }>) => sql<{
    used: number;
    counted: number;
  }>`
    with old as (
      delete from rate_requests where account = ${value("account")} and at <= ${value("since")} returning count
    ), past as (
      select coalesce(sum(count), 0)::integer as count from old
    ), counting as (
      insert into rate_windows as known (account, used, counted) values (${value("account")}, 1, 1)
      on conflict (account) do update set (used, counted) = (
        select known.used - past.count + rest.counted, rest.counted
        from past, lateral (select (known.used - past.count < ${value("limit")})::integer as counted) as rest
      )
      returning used, counted
    ), added as (
      insert into rate_requests as known (account, at, count)
      select ${value("account")}, ${value("now")}, 1 from counting where counted = 1
      on conflict (account, at) do update set count = known.count + 1
    )
    select used, counted from counting`,
);

/** The code of an error of PostgreSQL or of a socket; empty if it has none. */
const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** A conflict with another transaction, or a deadlock. */
const conflicts = new Set(["40001", "40P01"]);

/**
 * A database that cannot respond now: connections (08), resources such as a full disk (53), timeouts and locks (55P03, 57014), shutdown and start
 * (57P), and a standby that is read-only (25006).
 */
const unavailable = /^(08|53|57P0|55P03$|57014$|25006$|25P03$)/;

/** Errors of sockets, and those of `pg` that have no code. */
const socketCodes =
  /^(ECONN|EPIPE|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ERR_STREAM|ERR_SSL)/;
const clientMessages =
  /^(Connection terminated|timeout e|Query read timeout|Client (was closed|has encountered))/;

/** Whether the connection to the database was lost or could not be opened, or the database cannot respond now. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError || conflicts.has(codeOf(error))) return true;
  const code = codeOf(error);
  if (code === "") return clientMessages.test(error.message);
  return unavailable.test(code) || socketCodes.test(code);
}

/** Whether the server has no TLS, or a certificate that is not trusted. */
const isTlsError = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|^ERR_(TLS|SSL)/.test(codeOf(error)) || /support SSL/.test(reasonOf(error));

/** The first of several attempts, such as on IPv6 and IPv4. It never has the URL. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || codeOf(error) || error.name : String(error);
}

/** By the codes of PostgreSQL: what is wrong, before the reason, and what to do. */
const problems: Readonly<Record<string, readonly [problem: string, hint: string]>> = {
  "28P01": ["rejects the password", "Check PGUSER and PGPASSWORD."],
  "28000": ["rejects the user", "Check PGUSER and PGSSLMODE, and pg_hba.conf of the server."],
  "3D000": ["does not exist", "Create it, or correct its name in the URL."],
  "42501": ["does not let its user create tables", "Grant CREATE on the database, once."],
};

/** The error for people; a bug stays what it is. */
function userErrorOf(error: unknown, shown: string): unknown {
  if (error instanceof UserError) return error;
  const reason = reasonOf(error);
  const fail = (problem: string, hint: string): UserError =>
    new UserError(`the database ${shown} ${problem}: ${reason}`, { hint, cause: error });
  if (/password must be a string/.test(reason))
    return fail("needs a password", "Set PGPASSWORD, or PGPASSFILE.");
  if (isTlsError(error))
    return fail("cannot be reached with encryption", "Check PGSSLMODE and PGSSLROOTCERT.");
  const [problem, hint] = problems[codeOf(error)] ?? [];
  if (problem !== undefined && hint !== undefined) return fail(problem, hint);
  if (/corrupted migrations/.test(reason))
    return fail(
      "was written by a newer version",
      "Use that version, or choose another database with --data.",
    );
  return isUnavailable(error)
    ? fail("cannot be reached", "Check that it is running, and its host and port.")
    : error;
}
