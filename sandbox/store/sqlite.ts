import type { Store } from "../domain/store.ts";
import { accept, changeContact } from "./acceptance.ts";
import { folderSource } from "./data-folder.ts";
import { changeMessage, runDue } from "./due-run.ts";
import { sequenceIn } from "./ids.ts";
import { memorySource } from "./memory.ts";
import { Session } from "./session.ts";

export interface StoreOptions {
  /** Default: in memory. */
  folder?: string;
  /** The number in an id, by which messages and requests are found: unique and increasing. */
  numberIn?: (id: string) => number;
}

/** How long logged requests may stay in memory, in milliseconds. */
const logDelay = 50;

/**
 * Opens the store on SQLite, in memory or in a file of the folder. What the file has committed survives the process, however it ends.
 *
 * @throws UserError when the folder cannot be used
 */
export function openStore({ folder, numberIn = sequenceIn }: StoreOptions = {}): Store {
  const session = new Session(folder === undefined ? memorySource() : folderSource(folder), numberIn);
  let logTimer: NodeJS.Timeout | undefined;
  // Every commit writes the gathered requests.
  const writeLog = (): Promise<void> => session.write(({ requestLog }) => requestLog.writeGathered());
  return {
    recall: (record, now) => session.read(({ idempotency }) => idempotency.find(record, now)),
    accept: (acceptance) => accept(session.tables, acceptance),
    message: (accountId, id) => session.read(({ messages }) => messages.find(accountId, id)),
    messages: (page) => session.read(({ messages }) => messages.list(page)),
    summaries: (page) => session.read(({ messages }) => messages.summaries(page)),
    reschedule: (accountId, id, scheduledAt) =>
      session.write(({ messages }) => messages.reschedule(accountId, id, scheduledAt)),
    cancel: (accountId, id) => session.write(({ messages }) => messages.cancel(accountId, id)),
    nextDue: () => session.read(({ messages }) => messages.earliestDue()),
    runDue: (until, limit, step) => runDue(session.tables, until, limit, step),
    releaseClaims: (dueAt) => session.write(({ messages }) => messages.releaseClaims(dueAt)),
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
    logRequest(request) {
      session.tables.requestLog.gather(request);
      // Usually the commit of the next request comes first.
      logTimer ??= setTimeout(() => {
        logTimer = undefined;
        if (session.tables.requestLog.gathered > 0) writeLog().catch(() => {});
      }, logDelay).unref();
    },
    async loggedRequest(requestId) {
      await writeLog();
      return session.read(({ requestLog }) => requestLog.find(requestId));
    },
    async loggedRequests(query) {
      await writeLog();
      return session.read(({ requestLog }) => requestLog.list(query));
    },
    forget: (now) =>
      session.write((tables) => {
        tables.idempotency.forget(now);
        tables.requestLog.forget(now);
        tables.messages.forget(now);
      }),
    setting: (name) => session.tables.settings.get(name),
    setSetting: (name, value) => session.write(({ settings }) => settings.set(name, value)),
    nextSequence: () => session.tables.sequence.next(),
    reset: (settings) => session.reset(settings),
    async close() {
      await session.close();
      clearTimeout(logTimer);
    },
  };
}
