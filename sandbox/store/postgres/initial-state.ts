import type { InitialState } from "../../domain/store.ts";
import type { Database, Statement, Transaction } from "./database.ts";
import { addSuppressions, suppressionRows } from "./effects.ts";
import { insertRows, newRows } from "./message-rows.ts";
import { block } from "./sequence.ts";
import { writeSettings } from "./settings.ts";

const write: Statement = {
  name: "write_initial_state",
  text: `WITH settings AS (
    ${writeSettings(2)}
  ), contacts AS (
    INSERT INTO contact (epoch, account, email, version, data)
    SELECT $1, account, email, 1, data FROM unnest($4::text[], $5::text[], $6::text[]) AS new (account, email, data)
  ), suppressions AS (
    ${addSuppressions(7)}
  ), messages AS (
    ${insertRows(11, false)}
  )
  UPDATE epoch SET filled = true, settings_version = settings_version + 1 WHERE epoch = $1`,
};

const statements = {
  lockEpoch: { name: "lock_epoch", text: "SELECT filled FROM epoch WHERE epoch = $1 FOR UPDATE" },
  lockWorkspace: { name: "lock_workspace", text: "SELECT epoch FROM workspace WHERE name = $1 FOR UPDATE" },
  begin: { name: "begin_epoch", text: "INSERT INTO epoch (reserved) VALUES ($1) RETURNING epoch" },
  end: { name: "end_epoch", text: "UPDATE epoch SET ended_at = now() WHERE epoch = $1" },
  change: { name: "change_epoch", text: "UPDATE workspace SET epoch = $2 WHERE name = $1" },
} as const satisfies Record<string, Statement>;

/** Stores the initial state in an epoch without any. @returns false if it has one */
export function fillEpoch(database: Database, epoch: number, state: InitialState): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ filled: boolean }>(statements.lockEpoch, [epoch]);
    if (row?.filled !== false) return false;
    await transaction.commit(write, valuesOf(epoch, state));
    return true;
  });
}

/** Begins another epoch with this state. Its first block of numbers is reserved. @returns undefined if the workspace does not exist any more */
export function changeEpoch(
  database: Database,
  workspace: string,
  state: InitialState,
): Promise<number | undefined> {
  return database.transaction(async (transaction: Transaction) => {
    const [old] = await transaction.query<{ epoch: number }>(statements.lockWorkspace, [workspace]);
    if (old === undefined) return undefined;
    const [row] = await transaction.query<{ epoch: number }>(statements.begin, [block]);
    const { epoch } = row as { epoch: number };
    await Promise.all([
      transaction.query(write, valuesOf(epoch, state)),
      transaction.query(statements.end, [old.epoch]),
      transaction.commit(statements.change, [workspace, epoch]),
    ]);
    return epoch;
  });
}

function valuesOf(epoch: number, { settings, contacts, suppressions, messages }: InitialState) {
  return [
    epoch,
    Object.keys(settings),
    Object.values(settings),
    contacts.map(({ accountId }) => accountId),
    contacts.map(({ email }) => email),
    contacts.map((contact) => JSON.stringify(contact)),
    ...suppressionRows(suppressions.map(({ accountId, ...one }) => ({ account: accountId, ...one }))),
    ...newRows(messages),
  ];
}
