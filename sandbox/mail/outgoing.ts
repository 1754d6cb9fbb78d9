import { UserError } from "../../lib/user-error.ts";
import type { DueMessage } from "../domain/due-messages.ts";
import type { Outbound, OutboundBatch } from "../domain/outbound.ts";
import type { Message } from "../domain/records.ts";
import type { Store } from "../domain/store.ts";
import type { SandboxClock } from "../time/clock.ts";
import { type Folder, openFolder } from "./folder.ts";
import { Relay } from "./relay.ts";
import { leaving } from "./relay-state.ts";
import type { SmtpTimes } from "./smtp.ts";
import { parseSmtpUrl } from "./smtp-url.ts";

export interface OutboundOptions {
  store: Store;
  clock: Pick<SandboxClock, "now" | "reach" | "frozen" | "advancing">;
  simulatorDomain: string;
  /** The SMTP server that mail is relayed to: `smtp://host:port`. */
  smtp?: string | undefined;
  /** The time limits of the SMTP server. */
  smtpTimes?: SmtpTimes;
  /** The longest that `close` waits for the SMTP server, in milliseconds. Default: 5000. */
  closeDeadline?: number;
  /** A folder that each message is written to as `<id>.eml` once it is sent. */
  folder?: string | undefined;
  onError?: (error: unknown) => void;
}

/**
 * Opens the way out for mail: to an SMTP server, into a folder, or both.
 *
 * @throws UserError when the URL of the server is invalid or the folder is not writable
 */
export async function openOutbound(options: OutboundOptions): Promise<Outbound> {
  const { store, clock, smtp, smtpTimes, simulatorDomain, onError, closeDeadline = 5_000 } = options;
  if (options.folder !== undefined && store.isShared)
    throw new UserError(
      `mail of a PostgreSQL database is not written to an outbox folder (got "${options.folder}")`,
      {
        hint: "Each instance would write only a part of it. Read it with GET /sandbox/outbox, or keep the data in a folder.",
      },
    );
  const server = smtp === undefined ? undefined : parseSmtpUrl(smtp);
  const folder = options.folder === undefined ? undefined : await openFolder(options.folder, store, onError);
  // No other process has the store open: all attempts that claimed a message have ended.
  if (server !== undefined && !store.isShared)
    await store.releaseClaims(clock.now(), Number.POSITIVE_INFINITY);
  const times = smtpTimes === undefined ? {} : { times: smtpTimes };
  const reports = onError === undefined ? {} : { onError };
  const relay = server && new Relay({ store, clock, server, simulatorDomain, ...times, ...reports });
  return {
    createBatch: () => new Batch(relay, folder, simulatorDomain),
    settled: async () => (await relay?.settled()) ?? false,
    async reset(resetStore) {
      relay?.forget();
      const reset = resetStore(folder?.whenReset ?? {});
      // At once: what is sent from now on belongs to the new generation.
      folder?.empty(reset);
      await reset;
    },
    smtp: server?.toString() ?? null,
    close: async () => {
      await relay?.close(closeDeadline);
      await folder?.close();
    },
  };
}

/** Belongs to the generation it began in: a reset before its commit drops it. */
class Batch implements OutboundBatch {
  readonly #relay: Relay | undefined;
  readonly #folder: Folder | undefined;
  readonly #simulatorDomain: string;
  readonly #generations: { relay: object | undefined; folder: object | undefined };
  readonly #sent: (Message | DueMessage)[] = [];
  readonly #started: DueMessage[] = [];

  constructor(relay: Relay | undefined, folder: Folder | undefined, simulatorDomain: string) {
    this.#relay = relay;
    this.#folder = folder;
    this.#simulatorDomain = simulatorDomain;
    this.#generations = { relay: relay?.generation, folder: folder?.generation };
  }

  send<Sent extends DueMessage>(message: Sent): Sent {
    if (message.status !== "sent") return message;
    if (this.#folder !== undefined) this.#sent.push(message);
    // The server's reply decides when the message is delivered, not the usual delay.
    const leaves = this.#relay !== undefined && leaving(message, this.#simulatorDomain).length > 0;
    return leaves ? { ...message, dueAt: message.sentAt } : message;
  }

  step(message: DueMessage, until: number) {
    const due = this.#relay?.due(message, until);
    if (due?.start) this.#started.push(due.step.message);
    return due?.step;
  }

  commit(): void {
    const { relay, folder } = this.#generations;
    if (folder !== undefined) for (const message of this.#sent) this.#folder?.write(message, folder);
    if (relay !== undefined) for (const message of this.#started) this.#relay?.start(message, relay);
  }

  rollback(): void {
    this.#sent.length = 0;
    for (const message of this.#started.splice(0)) this.#relay?.drop(message);
  }
}
