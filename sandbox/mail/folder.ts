import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createFolder, folderProblem } from "../../lib/create-folder.ts";
import { UserError } from "../../lib/user-error.ts";
import type { DueMessage } from "../domain/due-messages.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import { compose } from "./compose.ts";

/** A folder with sent messages, each as `<id>.eml`. */
export interface Folder {
  /** Another object after each reset. */
  readonly generation: object;
  /** Writes a message of this generation later, as a whole or not at all. Without its content it is read from the store first. */
  write(message: Message | DueMessage, generation: object): void;
  /** Settings for the store to keep with a reset: the next start empties the folder if the process ends before. */
  readonly whenReset: Readonly<Record<string, string>>;
  /** Removes what was written so far once the reset is stored. */
  empty(reset: Promise<void>): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** The setting with the path of the folder that must still be emptied after a reset. */
const toEmpty = "outbox-to-empty";

/** Messages read at once when the folder is brought up to date. */
const page = 50;

/**
 * Opens a folder for messages and writes the sent ones that it lacks, for example after a crash.
 *
 * @throws UserError when it cannot be created or is not writable
 */
export async function openFolder(
  folder: string,
  store: Pick<Store, "message" | "messages" | "setting" | "changeSetting">,
  onError: (error: unknown) => void = () => {},
): Promise<Folder> {
  await makeWritable(folder);
  const absolute = path.resolve(folder);
  let generation = {};
  let last: Promise<void> = Promise.resolve();
  /** Whether a message was not written, such as on a full disk. */
  let isBehind = false;
  // One after the other, so that few messages are in memory as MIME.
  const then = (work: () => Promise<unknown>): void => {
    last = last.then(async () => void (await work())).catch(onError);
  };
  const empty = async (current: object): Promise<void> => {
    await removeFiles(folder, messageName, temporaryName);
    // A later reset empties the folder itself.
    if (current === generation) await store.changeSetting(toEmpty, () => ({ result: undefined }));
  };
  const first = generation;
  if (store.setting(toEmpty) === absolute) then(() => empty(first));
  then(() => catchUp(folder, store));
  return {
    get generation() {
      return generation;
    },
    write: (message, its) =>
      then(async () => {
        const whole = hasContent(message) ? message : await store.message(message.accountId, message.id);
        if (whole === undefined || its !== generation) return;
        try {
          await writeMessage(folder, whole);
          if (isBehind) await catchUp(folder, store);
          isBehind = false;
        } catch (error) {
          isBehind = true;
          throw unwritten(folder, error);
        }
      }),
    whenReset: { [toEmpty]: absolute },
    empty: (reset) => {
      const next = {};
      generation = next;
      then(() => reset.then(() => empty(next)));
    },
    close: () => last,
  };
}

async function makeWritable(folder: string): Promise<void> {
  try {
    createFolder(folder);
    await removeFiles(folder, temporaryName);
    const probe = path.join(folder, `.probe-${process.pid}`);
    await (await open(probe, "w")).close();
    await rm(probe);
  } catch (cause) {
    throw new UserError(folderProblem("outbox", folder), {
      hint: "Choose a folder that you can write to with --outbox.",
      cause,
    });
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

const messageFile = String.raw`(msg|sched|confirm)_[\w-]+\.eml`;

/** The names of written messages. */
const messageName = new RegExp(`^${messageFile}$`);

/** The names of files that are being written, or that a process has left when it was killed. */
const temporaryName = new RegExp(String.raw`^\.(probe|${messageFile})-\d+$`);

/** Removes the files with such names, and no others. */
async function removeFiles(folder: string, ...names: RegExp[]): Promise<void> {
  for (const file of await readdir(folder)) {
    if (names.some((name) => name.test(file))) await rm(path.join(folder, file), { force: true });
  }
}

async function catchUp(folder: string, store: Pick<Store, "messages">): Promise<void> {
  const there = new Set(await readdir(folder));
  for (let before: string | undefined; ; ) {
    const messages = await store.messages({ limit: page, ...(before === undefined ? {} : { before }) });
    for (const message of messages) {
      if (message.sentAt !== null && !there.has(fileOf(message))) await writeMessage(folder, message);
    }
    before = messages.at(-1)?.id;
    if (messages.length < page) return;
  }
}

async function writeMessage(folder: string, message: Message): Promise<void> {
  const bytes = await compose(message);
  const name = fileOf(message);
  const temporary = path.join(folder, `.${name}-${process.pid}`);
  try {
    const file = await open(temporary, "w");
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path.join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Replaces everything but letters, digits, `_` and `-`, so that no id leads to another folder. */
function fileOf({ id }: Pick<Message, "id">): string {
  return `${id.replace(/[^\w-]/g, "_")}.eml`;
}
