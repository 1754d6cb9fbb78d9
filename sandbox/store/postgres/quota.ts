import { monthOf } from "../../domain/times.ts";
import type { Database, Statement } from "./database.ts";

const find: Statement = {
  name: "find_quota",
  text: "SELECT used FROM quota WHERE epoch = $1 AND account = $2 AND month = $3",
};

/** Recipients counted in the calendar month (UTC) of `now`. */
export async function usedQuota(
  database: Database,
  epoch: number,
  { accountId, now }: { accountId: string; now: number },
): Promise<number> {
  const [row] = await database.query<{ used: number }>(find, [epoch, accountId, monthOf(now)]);
  return row?.used ?? 0;
}
