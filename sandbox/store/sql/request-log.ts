import type { LoggedRequest } from "../../domain/records.ts";
import type { Page } from "../../domain/store.ts";
import type { Database } from "./database.ts";

/** How long a request waits to be written with others, in milliseconds. */
const delay = 100;

/** The most requests of one insert. */
const most = 500;

/** The table of logged requests. They are written a moment later: no response waits for that. */
export class RequestLog {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  #pending: LoggedRequest[] = [];
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  add(request: LoggedRequest): void {
    this.#pending.push(request);
    this.#timer ??= setTimeout(() => void this.flush().catch(this.#onError), delay).unref();
  }

  /** Writes what is pending. While the database fails, requests are not logged. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const requests = this.#pending;
    this.#pending = [];
    const written = this.#last.then(() => this.#write(requests));
    this.#last = written.catch(() => {});
    return written;
  }

  async find(requestId: string): Promise<LoggedRequest | undefined> {
    await this.flush();
    const rows = await this.#database.run((db) =>
      db.selectFrom("requests").select("record").where("id", "=", requestId).execute(),
    );
    return rows[0] && JSON.parse(rows[0].record);
  }

  async list({ accountId, limit, before }: Page): Promise<LoggedRequest[]> {
    await this.flush();
    const rows = await this.#database.run((db) =>
      db
        .selectFrom("requests")
        .select("record")
        .$if(accountId !== undefined, (query) => query.where("account", "=", accountId ?? ""))
        .$if(before !== undefined, (query) =>
          query.where("seq", "<", ({ selectFrom }) =>
            selectFrom("requests as last")
              .select("last.seq")
              .where("last.id", "=", before ?? ""),
          ),
        )
        .orderBy("seq", "desc")
        .limit(limit)
        .execute(),
    );
    return rows.map(({ record }) => JSON.parse(record));
  }

  async close(): Promise<void> {
    await this.flush().catch(this.#onError);
  }

  async #write(requests: readonly LoggedRequest[]): Promise<void> {
    for (let start = 0; start < requests.length; start += most) {
      const rows = requests.slice(start, start + most).map((request) => ({
        ...{ id: request.requestId, account: request.accountId, at: request.at },
        record: JSON.stringify(request),
      }));
      await this.#database.run((db) => db.insertInto("requests").values(rows).execute());
    }
  }
}
