import { isObject } from "../../lib/objects.ts";
import { type Exchange, isSuccess, pathParametersAt } from "../exchange.ts";
import { accountOf, type Role } from "./settings.ts";

/** An accepted message of which no response has shown yet that it was sent. */
export interface PendingMessage {
  account: Role;
  /** The entries of `to`, `cc` and `bcc`. */
  recipients: number;
  /** When it is to be sent, in milliseconds since 1970. */
  dueAt: number;
}

type Json = Record<string, unknown>;

/** The messages of a run that are not sent with the response, but later, when other requests may observe it. */
export class PendingMessages {
  readonly #messages = new Map<string, PendingMessage>();

  /** @param now the server's time */
  note(exchange: Exchange, now: number): void {
    const { request, headers, json } = exchange;
    if (!isSuccess(exchange) || !isObject(json) || headers["idempotent-replayed"] !== undefined) return;
    const sent: Json = isObject(request.body) ? request.body : {};
    const account = typeof request.key === "string" ? accountOf(request.key) : "full";
    const { id = "" } = pathParametersAt(request.operation ?? "getMe", request.path) ?? {};
    const add = (own: unknown, message: Json, dueAt: number): unknown =>
      this.#messages.set(String(own), { account, recipients: recipientsIn(message), dueAt });
    // One for a time in the past is sent now.
    const dueAt = Math.max(Date.parse(String(sent.scheduled_at)), now);
    if (request.operation === "sendEmail" && sent.scheduled_at !== undefined) add(json.id, sent, dueAt);
    if (request.operation === "sendBatch")
      for (const [index, entry] of objectsIn(json.data).entries())
        add(entry?.id, objectsIn(sent.emails)[index] ?? {}, now);
    const known = this.#messages.get(id);
    if (known === undefined) return;
    if (request.operation === "rescheduleEmail") this.#messages.set(id, { ...known, dueAt });
    const isSent = request.operation === "getEmail" && json.sent_at != null;
    if (isSent || request.operation === "cancelEmail") this.#messages.delete(id);
  }

  has = (id: string): boolean => this.#messages.has(id);

  /** @param since messages that were due before are sent by now */
  all(since: number): PendingMessage[] {
    return [...this.#messages.values()].filter(({ dueAt }) => dueAt >= since);
  }
}

const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

export const recipientsIn = ({ to, cc, bcc }: Json) => [to, cc, bcc].flatMap((field) => field ?? []).length;
