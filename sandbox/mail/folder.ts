import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Message } from "../domain/records.ts";
import { Mistake } from "../mistake.ts";
import type { DueMessage, Store } from "../store/store.ts";
import { compose } from "./compose.ts";

/** A folder of messages, each as `<id>.eml`. */
export interface Folder {
  /** Writes a message. Nobody waits for it; whoever looks sees all of it or nothing. */
  write(message: Message): void;
  /** Reads a message from the store and writes it. */
  writeLater(message: DueMessage): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** How many messages are read at once when the folder is brought up to date. */
const page = 50;

/**
 * Opens a folder for messages, and writes those that the store sent and the folder lacks, as after a crash.
 *
 * @throws Mistake when it cannot be made or written to
 */
export async function openFolder(
  folder: string,
  store: Pick<Store, "message" | "messages">,
  onError: (error: unknown) => void = () => {},
): Promise<Folder> {
  const there = await namesIn(folder);
  let last: Promise<void> = Promise.resolve();
  // One after the other: a disk has one head to write with, and memory need not hold many messages as MIME.
  const then = (work: () => Promise<void>): void => {
    last = last.then(work).catch(onError);
  };
  then(() => catchUp(folder, there, store));
  return {
    write: (message) => then(() => writeMessage(folder, message)),
    writeLater: ({ accountId, id }) =>
      then(async () => {
        const message = await store.message(accountId, id);
        if (message !== undefined) await writeMessage(folder, message);
      }),
    close: () => last,
  };
}

async function namesIn(folder: string): Promise<Set<string>> {
  try {
    await mkdir(folder, { recursive: true });
    const probe = path.join(folder, `.probe-${process.pid}`);
    await (await open(probe, "w")).close();
    await rm(probe);
    return new Set(await readdir(folder));
  } catch (cause) {
    throw new Mistake(
      `Messages cannot be written to the folder ${folder}.`,
      "Name a folder that can be written to.",
      { cause },
    );
  }
}

async function catchUp(folder: string, there: Set<string>, store: Pick<Store, "messages">): Promise<void> {
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
  const file = await open(temporary, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path.join(folder, name));
}

/** Ids are letters, digits and underscores; should one not be, it still leads to no other folder. */
function fileOf({ id }: Pick<Message, "id">): string {
  return `${id.replace(/[^\w-]/g, "_")}.eml`;
}
