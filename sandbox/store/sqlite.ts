import { sequenceIn } from "../ids.ts";
import { CallSteps } from "./call-steps.ts";
import { contactSteps } from "./contact-steps.ts";
import { folderPlace } from "./data-folder.ts";
import { dueSteps } from "./due-steps.ts";
import { memoryPlace } from "./memory.ts";
import { messageSteps } from "./message-steps.ts";
import { Session } from "./session.ts";
import type { Store } from "./store.ts";

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
 * @throws Mistake when the folder cannot be used
 */
export function openStore({ folder, numberIn = sequenceIn }: StoreOptions = {}): Store {
  const session = new Session(folder === undefined ? memoryPlace() : folderPlace(folder), numberIn);
  const log = new CallSteps(session);
  const { logCall, call, calls } = log;
  return {
    ...messageSteps(session),
    ...dueSteps(session),
    ...contactSteps(session),
    ...{ logCall, call, calls },
    forget: (now) =>
      session.write((tables) => {
        tables.works.forget(now);
        tables.calls.forget(now);
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
