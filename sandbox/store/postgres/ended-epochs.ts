import { batchDeletion } from "./batch-deletion.ts";
import type { Database, Statement } from "./database.ts";

/** Tables with rows of epochs. */
const tables = [
  ...["message", "request", "idempotency_record", "contact", "suppression"],
  ...["quota", "setting", "rate_hit", "rate"],
];

/** Calls that began before a reset may still write for a while. In milliseconds. */
const grace = 60_000;

const deletions = tables.map((table) => batchDeletion(`end_${table}`, table));

const find: Statement = {
  name: "find_ended_epochs",
  text: `SELECT epoch, ended_at < now() - $1 * interval '1 millisecond' AS over FROM epoch
    WHERE ended_at IS NOT NULL ORDER BY epoch`,
};
const remove: Statement = { name: "remove_epoch", text: "DELETE FROM epoch WHERE epoch = $1" };

/** Deletes the rows of epochs that have ended, as long as `isWanted`. Several instances may do so at the same time. */
export async function deleteEndedEpochs(database: Database, isWanted: () => boolean): Promise<void> {
  const ended = await database.query<{ epoch: number; over: boolean }>(find, [grace]);
  for (const { epoch, over } of ended) {
    for (const deleteRows of deletions) await deleteRows(database, [epoch], isWanted);
    if (over && isWanted()) await database.query(remove, [epoch]);
  }
}
