import type { DueMessage } from "./store.ts";

/** The messages that one transaction of the store sends, between `Outbound.createBatch` and its commit or rollback. */
export interface OutboundBatch {
  /** Adds a message, unless it is still to be sent. May be called in a callback of the store. */
  add(message: DueMessage): void;
  /** The store has committed the messages: they leave. */
  commit(): void;
  /** The store has not kept them, or repeats the transaction: they are dropped. */
  rollback(): void;
}

/** Where sent messages go in addition to the store. Called when messages are accepted and by the due engine. */
export interface Outbound {
  createBatch(): OutboundBatch;
  /** Resolves when no message is on its way to the SMTP server. */
  settled(): Promise<void>;
  /** Drops everything that is in progress and removes what was written, with a reset of the store that keeps these settings. */
  reset(resetStore: (settings: Readonly<Record<string, string>>) => Promise<void>): Promise<void>;
  /** The URL of the SMTP server, without the password; null without one. */
  readonly smtp: string | null;
  /** Waits for the messages on their way, for a few seconds at most. The store must still be open. */
  close(): Promise<void>;
}

const emptyBatch: OutboundBatch = { add: () => {}, commit: () => {}, rollback: () => {} };

/** The type of the event of a message that the SMTP server did not accept. */
export const relayFailed = "relay_failed";

/** Messages stay in the store. */
export const noOutbound: Outbound = {
  createBatch: () => emptyBatch,
  settled: async () => {},
  reset: (resetStore) => resetStore({}),
  smtp: null,
  close: async () => {},
};
