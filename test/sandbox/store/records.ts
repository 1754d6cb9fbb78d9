import type { Message } from "../../../sandbox/domain/records.ts";
import type { Acceptance, IdempotencyRecord, InitialState, Store } from "../../../sandbox/domain/store.ts";

export const second = 1_000;
export const hour = 3_600 * second;
export const day = 24 * hour;

/** Noon of a day in the middle of a month. */
export const noon = Date.UTC(2026, 4, 15, 12);

/** A message that was sent at once, and is due to be delivered two seconds later. */
export function sentMessage(id: string, changes: Partial<Message> = {}): Message {
  return {
    id,
    accountId: "acc_one",
    from: "shop@mail.example.com",
    to: ["ada@example.org"],
    cc: [],
    bcc: [],
    tags: { kind: "receipt" },
    content: {
      subject: "Receipt",
      html: "<p>Thanks</p>",
      text: null,
      reply_to: null,
      headers: {},
      attachments: [],
    },
    status: "sent",
    createdAt: noon,
    scheduledAt: null,
    sentAt: noon,
    deliveredAt: null,
    bouncedAt: null,
    complainedAt: null,
    bounce: null,
    events: [{ type: "sent", at: noon, detail: null }],
    dueAt: noon + 2 * second,
    ...changes,
  };
}

/** A message that waits for its time. */
export function scheduledMessage(id: string, scheduledAt: number, changes: Partial<Message> = {}): Message {
  return sentMessage(id, {
    status: "scheduled",
    scheduledAt,
    sentAt: null,
    events: [],
    dueAt: scheduledAt,
    ...changes,
  });
}

export function named(key: string, changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord {
  return { scope: "key_one", key, fingerprint: `print of ${key}`, expiresAt: noon + day, ...changes };
}

/** Takes the messages, counts one recipient for each, and returns their ids in the response. */
export function taking(messages: Message[], work: IdempotencyRecord | null = null, now = noon): Acceptance {
  return {
    accountId: "acc_one",
    now,
    recipients: messages.flatMap((message) => message.to),
    idempotency: work,
    decide: () => ({
      messages,
      counted: messages.length,
      response: { status: 202, body: JSON.stringify({ ids: messages.map((message) => message.id) }) },
    }),
  };
}

/** A state with these settings and no records. */
export const withSettings = (settings: Record<string, string>): InitialState => ({
  settings,
  contacts: [],
  suppressions: [],
  messages: [],
});

export const emptyState: InitialState = withSettings({});

/** Cancels a message that is still `scheduled`, as the API does. */
export const cancel = (store: Store, accountId: string, id: string): Promise<boolean> =>
  store.changeMessage(accountId, id, (message) =>
    message.status === "scheduled" ? { ...message, status: "canceled", dueAt: null } : undefined,
  );

export const reschedule = (
  store: Store,
  accountId: string,
  id: string,
  scheduledAt: number,
): Promise<boolean> =>
  store.changeMessage(accountId, id, (message) =>
    message.status === "scheduled" ? { ...message, scheduledAt, dueAt: scheduledAt } : undefined,
  );

export const setSetting = (store: Store, name: string, value: string): Promise<void> =>
  store.changeSetting(name, () => ({ value, result: undefined }));
