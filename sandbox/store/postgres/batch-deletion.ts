import type { Database, Statement } from "./database.ts";

/** Rows deleted in one transaction: the requests in between hardly wait. */
const batch = 500;

/** Deletes rows of an epoch in batches, by their place in the table. Several instances may do so at the same time. */
export function batchDeletion(name: string, table: string, condition = "true") {
  const statement: Statement = {
    name,
    text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE epoch = $1 AND ${condition} LIMIT ${batch} FOR UPDATE SKIP LOCKED
    )) RETURNING 1`,
  };
  /** @param values the epoch, and those of the condition */
  return async (database: Database, values: number[], isWanted = () => true): Promise<void> => {
    for (let deleted = batch; deleted === batch && isWanted(); )
      deleted = (await database.query(statement, values)).length;
  };
}
