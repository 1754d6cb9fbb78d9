import { keptFor } from "../../domain/retention.ts";
import type { Database, Statement } from "./database.ts";

/** Rows deleted in one transaction. */
const batch = 1_000;

/** Deletes rows of an epoch in batches, by their place in the table. */
const deletion = (table: string, condition: string): Statement => ({
  name: `forget_${table}`,
  text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE epoch = $1 AND ${condition} LIMIT ${batch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1`,
});

const records = deletion("idempotency_record", "expires_at <= $2");
const requests = deletion("request", "at <= $2");
// As `isOver` in `domain/retention.ts`; no message is sent before it is created.
const messages = deletion(
  "message",
  "created_at <= $2 AND status <> 'scheduled' AND coalesce(sent_at, scheduled_at, created_at) <= $2",
);

/** Deletes expired idempotency records, logged requests, and messages that cannot be looked up any more. */
export async function forget(database: Database, epoch: number, now: number): Promise<void> {
  await deleteAll(database, records, [epoch, now]);
  await deleteAll(database, requests, [epoch, now - keptFor.requests]);
  await deleteAll(database, messages, [epoch, now - keptFor.messages]);
}

async function deleteAll(database: Database, statement: Statement, values: number[]): Promise<void> {
  let deleted = batch;
  while (deleted === batch) deleted = (await database.query(statement, values)).length;
}
