import path from "node:path";
import { UserError } from "../../lib/user-error.ts";
import type { DueMessage } from "../domain/due-messages.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import { catchUp, makeWritable, removeMessages, writeMessage } from "./message-files.ts";

type FolderStore = Pick<Store, "message" | "messages" | "setting" | "changeSetting">;

/** The setting with the path of the folder that must still be emptied after a reset. */
const toEmpty = "outbox-to-empty";

/**
 * Opens a folder for messages and writes the sent ones that it lacks, for example after a crash.
 *
 * @throws UserError when it cannot be created or is not writable
 */
export async function openFolder(
  folder: string,
  store: FolderStore,
  onError: (error: unknown) => void = () => {},
): Promise<Folder> {
  await makeWritable(folder);
  return new Folder(folder, store, onError);
}

/** A folder with sent messages, each as `<id>.eml`. */
export class Folder {
  /** Settings for the store to keep with a reset: the next start empties the folder if the process ends before. */
  readonly whenReset: Readonly<Record<string, string>>;
  readonly #folder: string;
  readonly #store: FolderStore;
  readonly #onError: (error: unknown) => void;
  /** Another object after each reset. */
  #generation = {};
  #last: Promise<void> = Promise.resolve();
  /** Whether a message was not written, such as on a full disk. */
  #isBehind = false;

  constructor(folder: string, store: FolderStore, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#store = store;
    this.#onError = onError;
    const absolute = path.resolve(folder);
    this.whenReset = { [toEmpty]: absolute };
    const first = this.#generation;
    if (store.setting(toEmpty) === absolute) this.#enqueue(() => this.#empty(first));
    this.#enqueue(() => catchUp(folder, store));
  }

  /** Writes a message later, as a whole or not at all. Without its content it is read from the store first. */
  write(message: Message | DueMessage): void {
    const generation = this.#generation;
    this.#enqueue(async () => {
      const whole = hasContent(message) ? message : await this.#store.message(message.accountId, message.id);
      if (whole !== undefined && generation === this.#generation) await this.#write(whole);
    });
  }

  /** Removes what was written so far once the reset is stored. */
  empty(reset: Promise<void>): void {
    const next = {};
    this.#generation = next;
    this.#enqueue(() => reset.then(() => this.#empty(next)));
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.#last;
  }

  /** One after the other, so that few messages are in memory as MIME. */
  #enqueue(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(async () => void (await work())).catch(this.#onError);
  }

  async #write(message: Message): Promise<void> {
    try {
      await writeMessage(this.#folder, message);
      if (this.#isBehind) await catchUp(this.#folder, this.#store);
      this.#isBehind = false;
    } catch (error) {
      this.#isBehind = true;
      throw unwritten(this.#folder, error);
    }
  }

  async #empty(generation: object): Promise<void> {
    await removeMessages(this.#folder);
    // A later reset empties the folder itself.
    if (generation === this.#generation)
      await this.#store.changeSetting(toEmpty, () => ({ result: undefined }));
  }
}

/** Has the same text for every message, so that the log has one line a minute: the rest of Node's text names a file. */
function unwritten(folder: string, cause: unknown): UserError {
  const [reason] = String((cause as Error).message).split(", ");
  return new UserError(
    `cannot write to the outbox folder ${folder}: ${reason}; missing messages are written with the next one`,
    { cause },
  );
}

/** A due message comes without its content, or with null in its place. */
const hasContent = (message: Message | DueMessage): message is Message =>
  (message as Partial<Message>).content != null;
