import type { LoggedRequest } from "../../domain/records.ts";
import { type Page, StoreUnavailableError } from "../../domain/store.ts";
import { fieldsOf, type RequestRow, requestFrom } from "../request-rows.ts";
import type { Database, Statement } from "./database.ts";

/** How long requests are gathered, in milliseconds. */
const delay = 20;

/** The most requests that wait for a database that cannot be reached. */
const most = 10_000;

const all = "SELECT id, account, method, path, status, error_type, fields, at FROM request WHERE epoch = $1";
/** Nothing comes before a request that is not in the log. */
const before = `($3::text IS NULL OR
  (logged_at, id) < (SELECT logged_at, id FROM request WHERE epoch = $1 AND id = $3))`;
const newest = "ORDER BY logged_at DESC, id DESC LIMIT $2";

const statements = {
  insert: {
    name: "log_requests",
    text: `INSERT INTO request (epoch, id, account, method, path, status, error_type, fields, at, logged_at)
      SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::bigint[], $10::bigint[])
      ON CONFLICT DO NOTHING`,
  },
  find: { name: "find_request", text: `${all} AND id = $2` },
  list: { name: "list_requests", text: `${all} AND ${before} ${newest}` },
  listOf: { name: "list_requests_of", text: `${all} AND account = $4 AND ${before} ${newest}` },
} as const satisfies Record<string, Statement>;

type Gathered = LoggedRequest & { loggedAt: number };

/** The real time: two requests of a millisecond keep their order. */
const microseconds = (): number => Math.round((performance.timeOrigin + performance.now()) * 1_000);

/**
 * The table of logged requests. They are gathered for a moment: one insert for many costs little. They are in the order of the real time: ids of
 * several instances are not.
 */
export class RequestLog {
  readonly #database: Database;
  readonly #epoch: number;
  #gathered: Gathered[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, epoch: number) {
    this.#database = database;
    this.#epoch = epoch;
  }

  gather(request: LoggedRequest): void {
    if (this.#gathered.length >= most) this.#gathered.shift();
    this.#gathered.push({ ...request, loggedAt: microseconds() });
    this.#timer ??= setTimeout(() => this.flush().catch(() => {}), delay).unref();
  }

  /** Resolves once everything that was gathered is written. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => {});
    return written;
  }

  async find(requestId: string): Promise<LoggedRequest | undefined> {
    await this.flush();
    const [row] = await this.#database.query<RequestRow>(statements.find, [this.#epoch, requestId]);
    return row && requestFrom(row);
  }

  async list({ accountId, limit, before: last }: Page): Promise<LoggedRequest[]> {
    await this.flush();
    const values = [this.#epoch, limit, last ?? null];
    const rows =
      accountId === undefined
        ? await this.#database.query<RequestRow>(statements.list, values)
        : await this.#database.query<RequestRow>(statements.listOf, [...values, accountId]);
    return rows.map(requestFrom);
  }

  /** If the database cannot be reached, the requests stay gathered. */
  async #write(): Promise<void> {
    const requests = this.#gathered;
    if (requests.length === 0) return;
    this.#gathered = [];
    try {
      await this.#database.query(statements.insert, [this.#epoch, ...valuesOf(requests)]);
    } catch (error) {
      if (error instanceof StoreUnavailableError)
        this.#gathered = [...requests, ...this.#gathered].slice(-most);
      throw error;
    }
  }
}

const valuesOf = (requests: readonly Gathered[]) => [
  requests.map(({ requestId }) => requestId),
  requests.map(({ accountId }) => accountId),
  requests.map(({ method }) => method),
  requests.map(({ path }) => path),
  requests.map(({ status }) => status),
  requests.map(({ errorType }) => errorType),
  requests.map(fieldsOf),
  requests.map(({ at }) => at),
  requests.map(({ loggedAt }) => loggedAt),
];
