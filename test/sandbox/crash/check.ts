import type { Message } from "../../../sandbox/domain/records.ts";
import type { Store } from "../../../sandbox/domain/store.ts";
import { monthOf } from "../../../sandbox/domain/times.ts";
import type { Work } from "./clients.ts";

/** What is wrong with what a store has, by kind. All lists should be empty. */
export type Faults = Awaited<ReturnType<typeof faultsOf>>;

/** Compares the messages of a store, once nothing is due, with what clients and the SMTP server know. @param arrived the ids of relayed messages */
export async function faultsOf(
  store: Pick<Store, "used">,
  messages: readonly Message[],
  works: readonly Work[],
  arrived: readonly string[],
) {
  const stored = new Set(messages.map(({ id }) => id));
  const canceled = new Set(works.filter((work) => work.canceled).flatMap(({ ids }) => ids ?? []));
  const sent = messages.filter((message) => sentEvents(message) > 0);
  return {
    lost: works.flatMap(({ ids }) => ids ?? []).filter((id) => !stored.has(id)),
    acceptedTwice: repeatedIn(messages.map(({ id, tags }) => tags.work ?? id)),
    sentTwice: idsOf(messages.filter((message) => sentEvents(message) > 1)),
    relayedTwice: repeatedIn(arrived),
    sentThoughCanceled: idsOf(sent.filter(({ id }) => canceled.has(id))),
    notProcessed: idsOf(messages.filter(({ dueAt }) => dueAt !== null)),
    inconsistent: idsOf(messages.filter(isInconsistent)),
    miscounted: await miscounted(store, sent),
  };
}

const idsOf = (messages: readonly Message[]): string[] => messages.map(({ id }) => id);

function repeatedIn(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}

const sentEvents = ({ events }: Message): number => events.filter(({ type }) => type === "sent").length;

const isInconsistent = (message: Message): boolean =>
  (message.sentAt !== null) !== sentEvents(message) > 0 ||
  (message.deliveredAt !== null) !== (message.status === "delivered") ||
  (message.bounce !== null) !== (message.status === "bounced");

/** Accounts and months whose allowance is not what their sent messages make. */
async function miscounted(store: Pick<Store, "used">, sent: readonly Message[]): Promise<string[]> {
  const wrong: string[] = [];
  const nameOf = ({ accountId, sentAt }: Message): string => `${accountId} ${monthOf(sentAt ?? 0)}`;
  for (const [name, messages] of Map.groupBy(sent, nameOf)) {
    const [{ accountId, sentAt }] = messages as [Message];
    const recipients = messages.reduce((sum, { to, cc, bcc }) => sum + to.length + cc.length + bcc.length, 0);
    const used = await store.used(accountId, sentAt ?? 0);
    if (used !== recipients) wrong.push(`${name}: ${used} counted, ${recipients} sent`);
  }
  return wrong;
}
