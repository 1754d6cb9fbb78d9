import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { createFolder, folderProblem } from "../../lib/files.ts";
import { UserError } from "../../lib/user-error.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import { compose } from "./compose.ts";

/** Messages read at once when the folder is brought up to date. */
const page = 50;

const messageFile = String.raw`(msg|sched|confirm)_[\w-]+\.eml`;

/** The names of written messages. */
const messageName = new RegExp(`^${messageFile}$`);

/** The names of files that are being written, or that a process has left when it was killed. */
const temporaryName = new RegExp(String.raw`^\.(probe|${messageFile})-\d+$`);

/**
 * Creates the folder if there is none.
 *
 * @throws UserError when that fails or it is not writable
 */
export async function makeWritable(folder: string): Promise<void> {
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

/** Removes all messages, and what was left of those that were being written. */
export const removeMessages = (folder: string): Promise<void> =>
  removeFiles(folder, messageName, temporaryName);

/** Removes the files with such names, and no others. */
async function removeFiles(folder: string, ...names: RegExp[]): Promise<void> {
  for (const file of await readdir(folder)) {
    if (names.some((name) => name.test(file))) await rm(path.join(folder, file), { force: true });
  }
}

/** Writes the sent messages that the folder lacks. */
export async function catchUp(folder: string, store: Pick<Store, "messages">): Promise<void> {
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
export async function writeMessage(folder: string, message: Message): Promise<void> {
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
