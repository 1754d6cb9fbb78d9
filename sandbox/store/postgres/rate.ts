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

type RequestGroup = Request & { members: number[] };

/** The largest number that the database has for a limit. */
const largest = 2 ** 31 - 1;

/** Counts requests in the rate windows of their accounts. */
export function rateGroup(database: Database, epoch: number): Group<Request, RateWindow> {
  const run = async (requests: Request[]): Promise<RateWindow[]> => {
    const groups = groupsOf(requests);
    const rows = await database.query<RateWindow>(countRequests, [
      epoch,
      groups.map(({ accountId }) => accountId),
      groups.map(({ now }) => now),
      groups.map(({ members }) => members.length),
      groups.map(({ limit }) => Math.min(limit, largest)),
    ]);
    const windows: RateWindow[] = [];
    for (const [index, group] of groups.entries()) {
      for (const [position, member] of group.members.entries())
        windows[member] = windowOf(rows[index] as RateWindow, position, group);
    }
    return windows;
  };
  return new Group({ run: (requests) => run(requests).then(all), size: 256, concurrent: 1 });
}

/** The window before a request, with those of its group that are counted before it. */
function windowOf({ used, oldest }: RateWindow, position: number, { now, limit }: RequestGroup): RateWindow {
  const before = Math.min(used + position, Math.max(limit, used));
  return { used: before, oldest: before === 0 ? null : (oldest ?? now) };
}

/** Requests of one account at one time, which are counted together. Sorted, so that transactions lock accounts in the same order. */
function groupsOf(requests: readonly Request[]): RequestGroup[] {
  const groups = new Map<string, RequestGroup>();
  for (const [index, request] of requests.entries()) {
    const name = `${request.accountId}\n${request.now}\n${request.limit}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { ...request, members: [index] });
    else group.members.push(index);
  }
  return [...groups.values()].sort(
    (one, other) =>
      (one.accountId < other.accountId ? -1 : one.accountId > other.accountId ? 1 : 0) || one.now - other.now,
  );
}
