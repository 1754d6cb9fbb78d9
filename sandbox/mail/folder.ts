import { readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { assertFolder, createFolder, folderProblem } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import { compose } from "./compose.ts";

type FolderStore = Pick<Store, "message" | "messages">;

/**
 * Opens a folder for messages, each as `<id>.eml`, and writes the sent ones that it lacks, for example after a crash.
 * @throws UserError when it cannot be created or is not writable
 */
export async function openFolder(folder: string, store: FolderStore, onError: (error: unknown) => void) {
  await makeWritable(folder);
  let last: Promise<void> = Promise.resolve();
  /** Whether a message was not written, such as on a full disk. */
  let isBehind = true;
  /** One after the other, so that few messages are in memory as MIME. */
  const enqueue = (work: () => Promise<void>): void => {
    last = last.then(work).catch(onError);
  };
  const catchUp = async (): Promise<void> => {
    await writeMissing(folder, store);
    isBehind = false;
  };
  const write = async (message: Message): Promise<void> => {
    try {
      await writeMessage(folder, message);
      if (isBehind) await catchUp();
    } catch (error) {
      isBehind = true;
      throw unwritten(folder, error);
    }
  };
  enqueue(catchUp);
  return {
    /** Writes a message later, as a whole or not at all. It is read from the store first: after a reset it is not there any more. */
    write: ({ accountId, id }: Pick<Message, "accountId" | "id">): void =>
      enqueue(async () => {
        const message = await store.message(accountId, id);
        if (message !== undefined) await write(message);
      }),
    /** Removes what was written so far, and then resets the store: after a crash in between, the next start writes it again. */
    async empty(reset: () => Promise<void>): Promise<void> {
      const done = Promise.withResolvers<void>();
      enqueue(async () => {
        await removeFiles(folder, messageName, temporaryName).catch(onError);
        isBehind = true;
        await reset().then(done.resolve, done.reject);
      });
      await done.promise;
    },
    /** Resolves when everything is written. */
    close: (): Promise<void> => last,
  };
}

/** Has the same text for every message, so that the log has one line a minute: the rest of Node's text names a file. */
function unwritten(folder: string, cause: unknown): UserError {
  const [reason] = String((cause as Error).message).split(", ");
  return new UserError(
    `cannot write to the outbox folder ${folder}: ${reason}; missing messages are written with the next one`,
    { cause },
  );
}

/** Messages read at once when the folder is brought up to date. */
const page = 50;

const messageFile = String.raw`(msg|sched|confirm)_[\w-]+\.eml`;

const messageName = new RegExp(`^${messageFile}$`);

/** The names of files that are being written, or that a process has left when it was killed. */
const temporaryName = new RegExp(String.raw`^\.(probe|${messageFile})-\d+$`);

/**
 * Creates the folder if there is none.
 * @throws UserError when that fails or it is not writable
 */
async function makeWritable(folder: string): Promise<void> {
  assertFolder("--outbox", folder, "Use a folder; --smtp takes the URL of a server.");
  try {
    createFolder(folder);
    await removeFiles(folder, temporaryName);
    const probe = path.join(folder, `.probe-${process.pid}`);
    await writeFile(probe, "");
    await rm(probe);
  } catch (cause) {
    throw new UserError(folderProblem("outbox", folder), {
      hint: "Choose a folder that you can write to with --outbox.",
      cause,
    });
  }
}

/** Removes the files with such names, and no others. */
async function removeFiles(folder: string, ...names: RegExp[]): Promise<void> {
  for (const file of await readdir(folder)) {
    if (names.some((name) => name.test(file))) await rm(path.join(folder, file), { force: true });
  }
}

/** Writes the sent messages that the folder lacks. */
async function writeMissing(folder: string, store: Pick<Store, "messages">): Promise<void> {
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

/** Writes a message as a whole or not at all. */
async function writeMessage(folder: string, message: Message): Promise<void> {
  const bytes = await compose(message);
  const name = fileOf(message);
  const temporary = path.join(folder, `.${name}-${process.pid}`);
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, path.join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Replaces everything but letters, digits, `_` and `-`, so that no id leads to another folder. */
const fileOf = ({ id }: Pick<Message, "id">): string => `${id.replace(/[^\w-]/g, "_")}.eml`;
