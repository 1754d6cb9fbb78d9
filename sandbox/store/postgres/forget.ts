import { keptFor } from "../../domain/retention.ts";
import { batchDeletion } from "./batch-deletion.ts";
import type { Database } from "./database.ts";

const deleteRecords = batchDeletion("forget_records", "idempotency_record", "expires_at <= $2");
const deleteRequests = batchDeletion("forget_requests", "request", "at <= $2");
// As `isOver` in `domain/retention.ts`; no message is sent before it is created.
const deleteMessages = batchDeletion(
  "forget_messages",
  "message",
  "created_at <= $2 AND status <> 'scheduled' AND coalesce(sent_at, scheduled_at, created_at) <= $2",
);

/** Deletes expired idempotency records, logged requests, and messages that cannot be looked up any more. */
export async function forget(database: Database, epoch: number, now: number): Promise<void> {
  await deleteRecords(database, [epoch, now]);
  await deleteRequests(database, [epoch, now - keptFor.requests]);
  await deleteMessages(database, [epoch, now - keptFor.messages]);
}
