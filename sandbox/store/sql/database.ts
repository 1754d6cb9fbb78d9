import { type Dialect, type Expression, Kysely, type RawBuilder } from "kysely";
import { Migrator } from "kysely/migration";
import { ClosedError, type RateWindow, StoreUnavailableError } from "../../domain/store.ts";
import { migrationsFor, type Tables } from "./tables.ts";

/** What differs between SQLite and PostgreSQL. */
export interface SqlDriver {
  readonly isPostgres: boolean;
  readonly dialect: Dialect;
  /** The subquery with the strings of a JSON list. */
  strings(list: Expression<string>): RawBuilder<string>;
  /** The table `item` with the entries of a JSON list, in its column `value`. */
  entries(list: Expression<string>): RawBuilder<unknown>;
  /** Counts a request in the rate window of its account, unless `limit` requests are in it. */
  countRequest(
    db: Kysely<Tables>,
    accountId: string,
    now: number,
    limit: number,
  ): Promise<RateWindow> | RateWindow;
  /** Forgets the rate windows, with a reset. */
  resetRates(db: Kysely<Tables>): Promise<void>;
  /** Whether a transaction has to be repeated, because another one was in its way. */
  isConflict(error: unknown): boolean;
  /** Whether the database failed or is away; otherwise an error is a bug. */
  isFailure(error: unknown): boolean;
  /** What is wrong, for people. */
  reasonOf(error: unknown): string;
}

/** How often a transaction is tried. */
const attempts = 5;

export class Database {
  readonly driver: SqlDriver;
  readonly kysely: Kysely<Tables>;
  #isClosed = false;

  constructor(driver: SqlDriver) {
    this.driver = driver;
    this.kysely = new Kysely<Tables>({ dialect: driver.dialect });
  }

  /** Creates the tables, or brings them up to date. Instances that start at the same time wait for each other. */
  async migrate(): Promise<void> {
    const { driver, kysely: db } = this;
    const provider = { getMigrations: async () => migrationsFor(driver.isPostgres) };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw error;
  }

  /** Runs a query, or several that need not be atomic. */
  async run<Result>(work: (db: Kysely<Tables>) => Result | Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new ClosedError();
    try {
      return await work(this.kysely);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** The rows of a query that is compiled each time. */
  async rows<Row>(query: RawBuilder<Row>): Promise<Row[]> {
    return (await this.run((db) => query.execute(db))).rows;
  }

  /** Runs queries in one transaction. `work` is called again if another transaction was in its way. */
  async transaction<Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.run((db) => db.transaction().execute(work));
      } catch (error) {
        if (attempt === attempts || !this.driver.isConflict(error)) throw error;
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.kysely.destroy();
  }

  #explained(error: unknown): unknown {
    // Its connection was closed meanwhile.
    if (this.#isClosed) return new ClosedError();
    if (!this.driver.isFailure(error)) return error;
    return new StoreUnavailableError(this.driver.reasonOf(error).replace(/\.$/, ""), { cause: error });
  }
}

/** Runs queries of a transaction together: PostgreSQL gets them at once. Waits for all of them, so that none runs after a rollback. */
export async function together<Results extends readonly unknown[]>(
  ...queries: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  await Promise.allSettled(queries);
  return Promise.all(queries) as unknown as Promise<Results>;
}

/** Stands for a value that is known when the query is run. */
export type Parameter<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** A query that is compiled once: compiling takes Kysely more time than running the query takes SQLite. */
export function prepare<Values extends object, Row>(
  kysely: Kysely<Tables>,
  build: (parameter: Parameter<Values>) => RawBuilder<Row>,
): (db: Pick<Kysely<Tables>, "executeQuery">, values: Values) => Promise<Row[]> {
  const compiled = build((name) => Symbol(name) as never).compile(kysely);
  const given = (parameter: unknown, values: Values): unknown =>
    typeof parameter === "symbol" ? values[parameter.description as keyof Values] : parameter;
  return async (db, values) => {
    const parameters = compiled.parameters.map((parameter) => given(parameter, values));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
