import { sql } from "kysely";
import type { LoggedRequest } from "../../domain/records.ts";
import type { Page } from "../../domain/store.ts";
import type { Database } from "./database.ts";
import { inPage } from "./queries.ts";

/** How long a request waits to be written with others, in milliseconds. */
const delay = 100;

/** The most requests of one insert. */
const most = 500;

export type RequestLog = ReturnType<typeof createRequestLog>;

/** The table of logged requests. They are written a moment later: no response waits for that. */
export function createRequestLog(database: Database, onError: (error: unknown) => void) {
  let pending: LoggedRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  /** Writes what is pending. While the database fails, requests are not logged. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const requests = pending;
    pending = [];
    const written = last.then(() => write(database, requests));
    last = written.catch(() => {});
    return written;
  };
  return {
    flush,
    add(request: LoggedRequest): void {
      pending.push(request);
      timer ??= setTimeout(() => void flush().catch(onError), delay).unref();
    },
    async find(requestId: string): Promise<LoggedRequest | undefined> {
      await flush();
      const query = sql<{ record: string }>`select record from requests where id = ${requestId}`;
      const [row] = await database.rows(query);
      return row && JSON.parse(row.record);
    },
    async list(page: Page): Promise<LoggedRequest[]> {
      await flush();
      const query = sql<{ record: string }>`select record from requests where ${inPage("requests", page)}`;
      return (await database.rows(query)).map(({ record }) => JSON.parse(record));
    },
    close: (): Promise<void> => flush().catch(onError),
  };
}

async function write(database: Database, requests: readonly LoggedRequest[]): Promise<void> {
  for (let start = 0; start < requests.length; start += most) {
    const rows = requests.slice(start, start + most).map((request) => ({
      ...{ id: request.requestId, account: request.accountId, at: request.at },
      record: JSON.stringify(request),
    }));
    await database.run((db) => db.insertInto("requests").values(rows).execute());
  }
}
