import type { RateWindow } from "../../domain/store.ts";
import type { Database, Statement } from "./database.ts";
import { all, Group } from "./group.ts";

const countRequests: Statement = {
  name: "count_requests",
  text: `SELECT used_before AS used, oldest
    FROM count_requests($1, $2::text[], $3::bigint[], $4::integer[], $5::integer[])`,
};

interface Request {
  accountId: string;
  now: number;
  limit: number;
}

type Same = Request & { members: number[] };

/** The largest number that the database has for a limit. */
const largest = 2 ** 31 - 1;

/** Counts requests in the rate windows of their accounts. */
export function rateGroup(database: Database, epoch: number): Group<Request, RateWindow> {
  const run = async (requests: Request[]): Promise<RateWindow[]> => {
    const sames = sameRequests(requests);
    const rows = await database.query<RateWindow>(countRequests, [
      epoch,
      sames.map(({ accountId }) => accountId),
      sames.map(({ now }) => now),
      sames.map(({ members }) => members.length),
      sames.map(({ limit }) => Math.min(limit, largest)),
    ]);
    const windows: RateWindow[] = [];
    for (const [index, same] of sames.entries()) {
      for (const [position, member] of same.members.entries())
        windows[member] = windowOf(rows[index] as RateWindow, position, same);
    }
    return windows;
  };
  return new Group({ run: (requests) => run(requests).then(all), size: 256, concurrent: 1 });
}

/** The window before a request, with those of its group that are counted before it. */
function windowOf({ used, oldest }: RateWindow, position: number, { now, limit }: Same): RateWindow {
  const before = Math.min(used + position, Math.max(limit, used));
  return { used: before, oldest: before === 0 ? null : (oldest ?? now) };
}

/** Requests of one account at one time, which are counted together. Sorted, so that transactions lock accounts in the same order. */
function sameRequests(requests: readonly Request[]): Same[] {
  const sames = new Map<string, Same>();
  for (const [index, request] of requests.entries()) {
    const name = `${request.accountId}\n${request.now}\n${request.limit}`;
    const same = sames.get(name);
    if (same === undefined) sames.set(name, { ...request, members: [index] });
    else same.members.push(index);
  }
  return [...sames.values()].sort(
    (one, other) =>
      (one.accountId < other.accountId ? -1 : one.accountId > other.accountId ? 1 : 0) || one.now - other.now,
  );
}
