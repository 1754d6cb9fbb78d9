import type { Message } from "../../domain/records.ts";
import type { DueMessage } from "../../domain/store.ts";
import { envelopeOf, progressOf } from "../message-rows.ts";
import { wantedRows } from "./wanted-rows.ts";

/** The columns of a message without its content. */
export const columns =
  "seq, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress";

/** The columns that a step changes, and their types; in the order of `changedRows`. */
const changedColumns: Parameters<typeof wantedRows>[0] = {
  ...{ status: "text", scheduled_at: "bigint", sent_at: "bigint", due_at: "bigint" },
  ...{ progress: "text", holder: "text", held_until: "bigint" },
};

/** Writes the values of `changedRows`, which begin at the parameter $2. */
export const updateRows = `UPDATE message SET ${Object.keys(changedColumns).map((name) => `${name} = wanted.${name}`)}
  FROM ${wantedRows({ seq: "bigint", ...changedColumns })}
  WHERE message.epoch = wanted.epoch AND message.seq = wanted.seq`;

/** The values of messages after their steps, a list per column. */
export const changedRows = (all: readonly { seq: number; message: DueMessage }[]) => [
  all.map(({ seq }) => seq),
  all.map(({ message }) => message.status),
  all.map(({ message }) => message.scheduledAt),
  all.map(({ message }) => message.sentAt),
  all.map(({ message }) => message.dueAt),
  all.map(({ message }) => progressOf(message)),
  all.map(() => null),
  all.map(() => null),
];

/** The values of the columns of new messages, a list per column. */
export const newRows = (messages: readonly Message[]) => [
  messages.map(({ id }) => id),
  messages.map(({ accountId }) => accountId),
  messages.map(({ status }) => status as string),
  messages.map(({ createdAt }) => createdAt),
  messages.map(({ scheduledAt }) => scheduledAt),
  messages.map(({ sentAt }) => sentAt),
  messages.map(({ dueAt }) => dueAt),
  messages.map(envelopeOf),
  messages.map(progressOf),
  messages.map(({ content }) => JSON.stringify(content)),
];

/** Inserts messages in their order; the values of `newRows` begin at the parameter `$first`. */
export const insertRows = (first: number, listed: boolean): string => {
  const types = ["text", "text", "text", "bigint", "bigint", "bigint", "bigint", "text", "text", "text"];
  const lists = types.map((type, index) => `$${first + index}::${type}[]`).join(", ");
  return `INSERT INTO message (epoch, listed, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content)
    SELECT $1, ${listed}, id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content
    FROM unnest(${lists}) WITH ORDINALITY
      AS new (id, account, status, created_at, scheduled_at, sent_at, due_at, envelope, progress, content, position)
    ORDER BY position`;
};

/** The earliest due time of the messages; undefined if none is due. */
export function earliestDue(messages: Iterable<Pick<Message, "dueAt">>): number | undefined {
  let earliest: number | undefined;
  for (const { dueAt } of messages)
    if (dueAt !== null && (earliest === undefined || dueAt < earliest)) earliest = dueAt;
  return earliest;
}
