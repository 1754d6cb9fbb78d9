import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { Connections } from "./connections.ts";
import { isRepeatable, isUnavailable, storeError } from "./errors.ts";

/** A statement, prepared once per connection under its name. */
export interface Statement {
  name: string;
  text: string;
}

type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** How statements are executed, in order. Those that are executed without waiting for the one before share a round trip. */
export interface Session {
  query<Row = never>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
}

export interface Transaction extends Session {
  /** Executes the last statement and commits, in one round trip. */
  commit<Row = never>(statement: Statement, values: readonly Value[]): Promise<Row[]>;
}

/** How often a transaction is repeated that conflicts with others. */
const attempts = 8;

/** Executes statements and transactions on any of its connections. */
export class Database {
  readonly #connections: Connections;

  constructor(url: string) {
    this.#connections = new Connections(url);
  }

  /** Executes one statement, which is a transaction by itself. */
  query<Row = never>(statement: Statement, values: readonly Value[]): Promise<Row[]> {
    return this.session((session) => session.query<Row>(statement, values));
  }

  /** Executes statements on one connection, each a transaction by itself. Repeats all of them after a conflict with another transaction. */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return repeated(() => this.#connections.use((client) => work(sessionOn(client))));
  }

  /** Commits once `work` resolves, unless it has committed already. Repeats it after a conflict with another transaction. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return repeated(() => this.#connections.use((client) => inTransaction(client, work)));
  }

  /** Executes SQL text without parameters, such as a migration. */
  execute(text: string): Promise<void> {
    return repeated(() => this.#connections.use((client) => client.query(text).then(() => {})));
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

async function repeated<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRepeatable(error) || count === attempts) throw storeError(error);
      await wait(Math.random() * 2 ** count);
    }
  }
}

const sessionOn = (client: pg.PoolClient): Session => ({
  async query<Row>({ name, text }: Statement, values: readonly Value[]): Promise<Row[]> {
    const result = await client.query({ name, text, values: values.map(storable) });
    return result.rows as Row[];
  },
});

async function inTransaction<Result>(
  client: pg.PoolClient,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let committed = false;
  const session = sessionOn(client);
  const commit = async (): Promise<void> => {
    const { command } = await client.query("COMMIT");
    // A transaction with a failed statement is rolled back instead.
    if (command !== "COMMIT") throw new Error("The transaction was rolled back.");
  };
  const begun = client.query("BEGIN");
  // The first statement fails too.
  begun.catch(() => {});
  try {
    const result = await work({
      ...session,
      async commit<Row>(statement: Statement, values: readonly Value[]): Promise<Row[]> {
        committed = true;
        const written = session.query<Row>(statement, values);
        const ended = commit();
        // If the statement fails, its own error says why.
        ended.catch(() => {});
        const rows = await written;
        await ended;
        return rows;
      },
    });
    if (!committed) await commit();
    return result;
  } catch (error) {
    if (!isUnavailable(error)) await client.query("ROLLBACK");
    throw error;
  }
}

/** PostgreSQL has no text with a NUL character: it is replaced, as Unicode recommends for what cannot be stored. JSON escapes it. */
function storable(value: Value): unknown {
  if (typeof value === "string") return withoutNul(value);
  if (Array.isArray(value)) return value.map((item) => (typeof item === "string" ? withoutNul(item) : item));
  return value;
}

const withoutNul = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);
