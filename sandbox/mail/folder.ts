import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../../lib/user-error.ts";
import type { Message } from "../domain/records.ts";
import type { DueMessage, Store } from "../domain/store.ts";
import { compose } from "./compose.ts";

/** A folder of messages, each as `<id>.eml`. */
export interface Folder {
  /** What changes with each reset. */
  readonly round: object;
  /** Writes a message of this round. Nobody waits for it; whoever looks sees all of it or nothing. */
  write(message: Message, round: object): void;
  /** Reads a message of this round from the store and writes it. */
  writeLater(message: DueMessage, round: object): void;
  /** What the store is to keep with a reset: should the process end before the folder is empty, the next start empties it. */
  readonly whenReset: Readonly<Record<string, string>>;
  /** Takes away what was written until now, once the reset is kept. */
  empty(reset: Promise<void>): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** Kept in the store: the folder that is still to be emptied after a reset. */
const toEmpty = "outbox-to-empty";

/** How many messages are read at once when the folder is brought up to date. */
const page = 50;

/**
 * Opens a folder for messages, and writes those that the store sent and the folder lacks, as after a crash.
 *
 * @throws UserError when it cannot be made or written to
 */
export async function openFolder(
  folder: string,
  store: Pick<Store, "message" | "messages" | "setting" | "setSetting">,
  onError: (error: unknown) => void = () => {},
): Promise<Folder> {
  await makeWritable(folder);
  const place = path.resolve(folder);
  let round = {};
  let last: Promise<void> = Promise.resolve();
  // One after the other: a disk has one head to write with, and memory need not hold many messages as MIME.
  const then = (work: () => Promise<unknown>): void => {
    last = last.then(async () => void (await work())).catch(onError);
  };
  const emptied = async (emptying: object): Promise<void> => {
    await removeMessages(folder);
    // Another reset has its own folder to empty.
    if (emptying === round) await store.setSetting(toEmpty, "");
  };
  const first = round;
  if (store.setting(toEmpty) === place) then(() => emptied(first));
  then(() => catchUp(folder, store));
  return {
    get round() {
      return round;
    },
    write: (message, its) => then(async () => its === round && writeMessage(folder, message)),
    writeLater: ({ accountId, id }, its) =>
      then(async () => {
        const message = await store.message(accountId, id);
        if (message !== undefined && its === round) await writeMessage(folder, message);
      }),
    whenReset: { [toEmpty]: place },
    empty: (reset) => {
      const begun = {};
      round = begun;
      then(() => reset.then(() => emptied(begun)));
    },
    close: () => last,
  };
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    const probe = path.join(folder, `.probe-${process.pid}`);
    await (await open(probe, "w")).close();
    await rm(probe);
  } catch (cause) {
    throw new UserError(`Messages cannot be written to the folder ${folder}.`, {
      hint: "Name a folder that can be written to.",
      cause,
    });
  }
}

/** Files of other names are not the sandbox's: they stay. */
async function removeMessages(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (/^\.?(msg|sched|confirm)_[\w-]+\.eml(-\d+)?$/.test(name)) {
      await rm(path.join(folder, name), { force: true });
    }
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
