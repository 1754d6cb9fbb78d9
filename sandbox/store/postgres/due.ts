import { runQueue } from "../../domain/due.ts";
import type { DueRun } from "../../domain/store.ts";
import { fromRow, type MessageRow } from "../message-rows.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { addCounts, addSuppressions, effectRows } from "./effects.ts";
import { changedRows, columns, updateRows } from "./message-rows.ts";
import { changeVersion, lockSetting, writeSettings } from "./settings.ts";

const lock = (name: string, mode: string): Statement => ({
  name,
  text: `SELECT ${columns} FROM message WHERE epoch = $1 AND due_at <= $2 ORDER BY due_at, seq LIMIT $3 FOR UPDATE${mode}`,
});

/** Leaves messages alone that another instance is processing. Its locks end with its connection. */
const lockFree = lock("lock_due", " SKIP LOCKED");

const lockAll = lock("lock_all_due", "");

const update: Statement = {
  name: "update_due",
  text: `WITH counts AS (
    ${addCounts(10)}
  ), suppressions AS (
    ${addSuppressions(13)}
  ), settings AS (
    ${writeSettings(17)}
  ), version AS (
    ${changeVersion} AND cardinality($17::text[]) > 0
  )
  ${updateRows}`,
};

interface Processed {
  steps: number;
  /** The setting as it is stored with the steps. */
  setting: { name: string; value: string } | undefined;
}

/** Processes due messages, in one transaction. */
export function runDue(database: Database, epoch: number, run: DueRun): Promise<Processed> {
  const { until, limit, complete = false } = run;
  return database.transaction(async (transaction) => {
    const statement = complete ? lockAll : lockFree;
    const rows = await transaction.query<MessageRow>(statement, [epoch, until, limit]);
    const queue = inOrder(rows).map((row) => ({ seq: row.seq, message: fromRow(row) }));
    const { steps, changed, effects } = runQueue(queue, run);
    const setting = run.setting && (await changedSetting(transaction, epoch, run.setting));
    if (steps === 0 && setting === undefined) return { steps, setting };
    await transaction.commit(update, [
      epoch,
      ...changedRows([...changed]),
      ...effectRows(effects),
      setting === undefined ? [] : [setting.name],
      setting === undefined ? [] : [setting.value],
    ]);
    return { steps, setting };
  });
}

/** The setting after its change, which another instance must not change meanwhile; undefined if it has no value. */
async function changedSetting(
  transaction: Transaction,
  epoch: number,
  { name, change }: NonNullable<DueRun["setting"]>,
): Promise<Processed["setting"]> {
  const value = change(await lockSetting(transaction, epoch, name));
  return value === undefined ? undefined : { name, value };
}

/** After waiting for another transaction, rows have its changes but come in their former order, and some may be due later. */
function inOrder(rows: MessageRow[]): MessageRow[] {
  return rows.sort((one, other) => (one.due_at ?? 0) - (other.due_at ?? 0) || one.seq - other.seq);
}
