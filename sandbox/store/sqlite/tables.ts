import type { DatabaseSync } from "node:sqlite";
import { RateWindows } from "../../domain/rate-windows.ts";
import { Contacts } from "./contacts.ts";
import { GroupCommit } from "./group-commit.ts";
import { IdempotencyRecords } from "./idempotency-records.ts";
import { Messages, type NoteDue } from "./messages.ts";
import { Quota } from "./quota.ts";
import { RequestLog } from "./request-log.ts";
import { Sequence } from "./sequence.ts";
import { Settings } from "./settings.ts";
import { Suppressions } from "./suppressions.ts";

/** The setting with the end of the reserved numbers. */
export const sequenceSetting = "sequence";

/** Everything that belongs to one open database. */
export type Tables = ReturnType<typeof bindTables>;

/**
 * Prepares all statements.
 *
 * @param numberIn the number in an id of a message or request
 */
export function bindTables(
  database: DatabaseSync,
  numberIn: (id: string) => number,
  events: { afterCommit(): void; afterRollback(): void; noteDue: NoteDue },
) {
  const { afterCommit, afterRollback, noteDue } = events;
  const quota = new Quota(database);
  const suppressions = new Suppressions(database);
  const idempotency = new IdempotencyRecords(database);
  const requestLog = new RequestLog(database, numberIn);
  const settings = new Settings(database);
  const commits = new GroupCommit(database, {
    beforeCommit: () => {
      requestLog.writeGathered();
      quota.writeChanged();
    },
    afterCommit: () => {
      idempotency.afterCommit();
      afterCommit();
    },
    afterRollback: () => {
      quota.reload();
      suppressions.reload();
      idempotency.afterRollback();
      settings.reload();
      afterRollback();
    },
  });
  const sequence = new Sequence(Number(settings.get(sequenceSetting) ?? 0), (end) =>
    commits.writeNow(() => settings.set(sequenceSetting, String(end))),
  );
  const messages = new Messages(database, numberIn, noteDue);
  const contacts = new Contacts(database);
  const rates = new RateWindows();
  return {
    ...{ database, commits, messages, idempotency, quota, rates },
    ...{ suppressions, contacts, requestLog, settings, sequence, noteDue },
  };
}
