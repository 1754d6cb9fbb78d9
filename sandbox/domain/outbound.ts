import type { DueMessage, DueStep } from "./due-messages.ts";

/**
 * The messages that one transaction of the store sends, between `Outbound.createBatch` and its commit or rollback. The callbacks of the store
 * call `send` and `step`: they must not wait.
 */
export interface OutboundBatch {
  /** Adds a message with status `sent`. @returns the message to store: one that leaves the sandbox is due at once */
  send<Sent extends DueMessage>(message: Sent): Sent;
  /**
   * The next step of a message that is on its way to the SMTP server; undefined for any other.
   *
   * @param until how far due messages are being processed: the message is not due again before
   */
  step(message: DueMessage, until: number): DueStep | undefined;
  /** The store has committed the messages: they leave. */
  commit(): void;
  /** The store has not kept them, or repeats the transaction: they are dropped. */
  rollback(): void;
}

/** Where sent messages go in addition to the store. Called when messages are accepted and by the due engine. */
export interface Outbound {
  createBatch(): OutboundBatch;
  /** Resolves when no attempt to send is in progress. @returns whether any was */
  settled(): Promise<boolean>;
  /** Drops everything that is in progress and removes what was written, with a reset of the store that keeps these settings. */
  reset(resetStore: (settings: Readonly<Record<string, string>>) => Promise<void>): Promise<void>;
  /** The URL of the SMTP server, without the password; null without one. */
  readonly smtp: string | null;
  /** Waits for the attempts in progress, for a few seconds at most. The store must still be open. */
  close(): Promise<void>;
}

const emptyBatch: OutboundBatch = {
  send: (message) => message,
  step: () => undefined,
  commit: () => {},
  rollback: () => {},
};

/** Messages stay in the store. */
export const noOutbound: Outbound = {
  createBatch: () => emptyBatch,
  settled: async () => false,
  reset: (resetStore) => resetStore({}),
  smtp: null,
  close: async () => {},
};
