import type { SettingChange, Store } from "../../domain/store.ts";
import { sequenceIn } from "../ids.ts";
import { accept, changeContact } from "./acceptance.ts";
import { openDataFolder } from "./data-folder.ts";
import { changeMessage, runDue } from "./due-run.ts";
import { gatheredLog } from "./gathered-log.ts";
import { Session } from "./session.ts";
import type { Tables } from "./tables.ts";

export interface SqliteOptions {
  folder: string;
  /** The number in an id, by which messages and requests are found: unique and increasing. */
  numberIn?: (id: string) => number;
}

/**
 * Opens the store on SQLite, in a file of the folder. What it has committed survives the process, however it ends.
 *
 * @throws UserError when the folder cannot be used
 */
export function openSqlite({ folder, numberIn = sequenceIn }: SqliteOptions): Store {
  const session = new Session(openDataFolder(folder), numberIn);
  const { stop: stopLog, ...log } = gatheredLog(session);
  return {
    isShared: false,
    get generation() {
      return session.tables;
    },
    // No other process has the folder open.
    refresh: async () => {},
    setting: (name) => session.tables.settings.get(name),
    changeSetting: (name, change) => changeSetting(session.tables, name, change),
    nextSequence: () => session.tables.sequence.next(),
    countRequest: (accountId, now, limit) => session.tables.rates.count(accountId, now, limit),
    recall: (record, now) => session.read(({ idempotency }) => idempotency.find(record, now)),
    accept: (acceptance) => accept(session.tables, acceptance),
    message: (accountId, id) => session.read(({ messages }) => messages.find(accountId, id)),
    messages: (page) => session.read(({ messages }) => messages.list(page)),
    summaries: (page) => session.read(({ messages }) => messages.summaries(page)),
    reschedule: (accountId, id, scheduledAt) =>
      session.write(({ messages }) => messages.reschedule(accountId, id, scheduledAt)),
    cancel: (accountId, id) => session.write(({ messages }) => messages.cancel(accountId, id)),
    nextDue: () => session.read(({ messages }) => messages.earliestDue()),
    runDue: (run) => runDue(session.tables, run),
    change: (accountId, id, step) => changeMessage(session.tables, accountId, id, step),
    watchDue: (listener) => session.watchDue(listener),
    suppress: (accountId, address, reason, at) =>
      session.write(({ suppressions }) => suppressions.add(accountId, { address, reason, at })),
    unsuppress: (accountId, address) =>
      session.write(({ suppressions }) => suppressions.remove(accountId, address)),
    suppressions: (accountId) => session.read(({ suppressions }) => suppressions.list(accountId)),
    used: (accountId, now) => session.read(({ quota }) => quota.used(accountId, now)),
    contact: (accountId, email) => session.read(({ contacts }) => contacts.find(accountId, email)),
    contacts: (query) => session.read(({ contacts }) => contacts.page(query)),
    changeContact: (change) => changeContact(session.tables, change),
    ...log,
    forget: (now) =>
      session.write((tables) => {
        tables.idempotency.forget(now);
        tables.requestLog.forget(now);
        tables.messages.forget(now);
      }),
    fill: (state) => session.fill(state),
    reset: (state) => session.reset(state),
    async close() {
      await session.close();
      stopLog();
    },
  };
}

function changeSetting<Result>(
  { commits, settings }: Tables,
  name: string,
  change: (value: string | undefined) => SettingChange<Result>,
): Promise<Result> {
  return commits.write(
    () => change(settings.get(name)),
    ({ value, result }) => {
      settings.set(name, value);
      return result;
    },
  );
}
