import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { monthOf } from "../../../sandbox/domain/times.ts";
import { openSqlite } from "../../../sandbox/store/sqlite/store.ts";
import type { Work } from "./work.ts";

/** What is wrong with what was kept; every number should be 0, and `damage` empty. */
export interface Faults {
  /** Ids in responses that do not exist. */
  lost: string[];
  /** Pieces of work of which more came than was asked for. */
  doubled: string[];
  /** Messages that were sent more than once. */
  sentTwice: string[];
  /** Rejected requests with an effect. */
  acceptedThoughRejected: string[];
  /** Messages that were sent although the cancellation was confirmed. */
  sentThoughCanceled: string[];
  /** Messages whose status, times and events do not fit each other. */
  halfWritten: string[];
  /** Accounts and months whose allowance is not what their sent messages make. */
  miscounted: string[];
  damage: string[];
}

/** Looks into the folder of a sandbox that does not run. */
export async function checkFolder(
  folder: string,
  works: Work[],
): Promise<{ faults: Faults; messages: number; sent: number }> {
  const damage = integrity(folder);
  const store = openSqlite({ folder });
  const messages = await everyMessage(store);
  const found = await check(store, messages, works);
  await store.close();
  return { ...found, faults: { ...found.faults, damage }, messages: messages.length };
}

/** Compares the messages of a store with what clients know. */
export async function check(
  store: Pick<Store, "used">,
  messages: readonly Message[],
  works: readonly Work[],
): Promise<{ faults: Omit<Faults, "damage">; sent: number }> {
  const canceled = new Set(works.filter((work) => work.canceled).flatMap((work) => work.ids ?? []));
  const there = new Set(messages.map((message) => message.id));
  const tags = messages.map((message) => message.tags.work ?? message.id);
  const sent = messages.filter((message) => sentEvents(message) > 0);
  const faults = {
    lost: works.flatMap((work) => work.ids ?? []).filter((id) => !there.has(id)),
    doubled: repeatedIn(tags),
    sentTwice: messages.filter((message) => sentEvents(message) > 1).map((message) => message.id),
    acceptedThoughRejected: works
      .filter((work) => work.rejected && tags.includes(`${work.key}.0`))
      .map((work) => work.key),
    sentThoughCanceled: sent.filter((message) => canceled.has(message.id)).map((message) => message.id),
    halfWritten: messages.filter(isHalfWritten).map((message) => message.id),
    miscounted: await miscounted(store, sent),
  };
  return { faults, sent: sent.length };
}

export function repeatedIn(names: string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

const sentEvents = (message: Message): number =>
  message.events.filter((event) => event.type === "sent").length;

const isHalfWritten = (message: Message): boolean =>
  (message.sentAt !== null) !== sentEvents(message) > 0 ||
  (message.deliveredAt !== null) !== (message.status === "delivered") ||
  (message.bounce !== null) !== (message.status === "bounced") ||
  (message.dueAt !== null) !== isInProgress(message);

/** A message that an SMTP server may have or not stays sent. */
const isInProgress = ({ status }: Message): boolean => status === "scheduled" || status === "sent";

async function miscounted(store: Pick<Store, "used">, sent: Message[]): Promise<string[]> {
  const counts = new Map<string, { accountId: string; at: number; recipients: number }>();
  for (const { accountId, sentAt, to, cc, bcc } of sent) {
    const at = sentAt ?? 0;
    const name = `${accountId} ${monthOf(at)}`;
    const count = counts.get(name) ?? { accountId, at, recipients: 0 };
    counts.set(name, { ...count, recipients: count.recipients + to.length + cc.length + bcc.length });
  }
  const wrong: string[] = [];
  for (const [name, { accountId, at, recipients }] of counts) {
    const used = await store.used(accountId, at);
    if (used !== recipients) wrong.push(`${name}: ${used} counted, ${recipients} sent`);
  }
  return wrong;
}

export async function everyMessage(store: Store): Promise<Message[]> {
  const all: Message[] = [];
  for (let page = await store.messages({ limit: 1_000 }); page.length > 0; ) {
    all.push(...page);
    const { id } = page.at(-1) as Message;
    page = await store.messages({ limit: 1_000, before: id });
  }
  return all;
}

function integrity(folder: string): string[] {
  const database = new DatabaseSync(join(folder, "sandbox.db"));
  const rows = database.prepare("PRAGMA integrity_check").all();
  database.close();
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}
