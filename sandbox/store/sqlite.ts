import type { Store } from "../domain/store.ts";
import { contactSteps } from "./contact-steps.ts";
import { folderSource } from "./data-folder.ts";
import { dueSteps } from "./due-steps.ts";
import { sequenceIn } from "./ids.ts";
import { memorySource } from "./memory.ts";
import { messageSteps } from "./message-steps.ts";
import { RequestLogSteps } from "./request-log-steps.ts";
import { Session } from "./session.ts";

/** Where a store is, and how it finds what is in it. */
export interface StoreOptions {
  /** Kept in memory when not given. */
  folder?: string;
  /** The number in an id, by which messages and calls are found: one of its own for each, growing. */
  numberIn?: (id: string) => number;
}

/**
 * Opens the store on SQLite: in memory, or in a file of the folder. What the file promises to keep survives the end of the process, however it ends.
 *
 * @throws UserError when the folder cannot be used
 */
export function openStore({ folder, numberIn = sequenceIn }: StoreOptions = {}): Store {
  const session = new Session(folder === undefined ? memorySource() : folderSource(folder), numberIn);
  const log = new RequestLogSteps(session);
  const { logRequest, loggedRequest, loggedRequests } = log;
  return {
    ...messageSteps(session),
    ...dueSteps(session),
    ...contactSteps(session),
    ...{ logRequest, loggedRequest, loggedRequests },
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
    close: async () => {
      await session.close();
      log.end();
    },
  };
}
