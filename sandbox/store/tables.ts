import type { DatabaseSync } from "node:sqlite";
import { Contacts } from "./contacts.ts";
import { GroupCommit } from "./group-commit.ts";
import { IdempotencyRecords } from "./idempotency-records.ts";
import { Messages } from "./messages.ts";
import { Quota } from "./quota.ts";
import { RequestLog } from "./request-log.ts";
import { Sequence } from "./sequence.ts";
import { Settings } from "./settings.ts";
import { Suppressions } from "./suppressions.ts";

/** The name under which the end of the numbers set aside is kept. */
export const sequenceSetting = "sequence";

/** Everything that is bound to one open database. */
export interface Tables {
  database: DatabaseSync;
  commits: GroupCommit;
  messages: Messages;
  idempotency: IdempotencyRecords;
  quota: Quota;
  suppressions: Suppressions;
  contacts: Contacts;
  requestLog: RequestLog;
  settings: Settings;
  sequence: Sequence;
}

/**
 * Prepares all statements.
 *
 * @param numberIn the number in an id of a message or call
 * @param onCommit called after each commit
 * @param onFailure called when the commit of a turn failed
 */
export function bindTables(
  database: DatabaseSync,
  numberIn: (id: string) => number,
  onCommit: () => void,
  onFailure: () => void,
): Tables {
  const quota = new Quota(database);
  const suppressions = new Suppressions(database);
  const works = new IdempotencyRecords(database);
  const calls = new RequestLog(database, numberIn);
  const settings = new Settings(database);
  const turns = new GroupCommit(database, {
    beforeCommit: () => {
      calls.writeGathered();
      quota.writeChanged();
    },
    afterCommit: () => {
      works.keep();
      onCommit();
    },
    afterFailure: () => {
      quota.reload();
      suppressions.reload();
      works.takeBack();
      settings.reload();
      onFailure();
    },
  });
  const sequence = new Sequence(Number(settings.get(sequenceSetting) ?? 0), (end) =>
    turns.writeNow(() => settings.set(sequenceSetting, String(end))),
  );
  return {
    database,
    commits: turns,
    messages: new Messages(database, numberIn),
    idempotency: works,
    quota,
    suppressions,
    contacts: new Contacts(database),
    requestLog: calls,
    settings,
    sequence,
  };
}
