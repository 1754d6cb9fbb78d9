import type { DueMessage } from "./store.ts";

/** Where sent messages go in addition to the store. */
export interface Outbound {
  /** Sends messages, unless they are scheduled. Called after the commit that marked them sent, by the instance that did that. */
  send(messages: readonly DueMessage[]): void;
  /** Resolves when no message is on its way to the SMTP server. */
  settled(): Promise<void>;
  /** Drops everything that is in progress and removes what was written, with a reset of the store that keeps these settings. */
  reset(resetStore: (settings: Readonly<Record<string, string>>) => Promise<void>): Promise<void>;
  /** The URL of the SMTP server, without the password; null without one. */
  readonly smtp: string | null;
  /** Waits for the messages on their way, for a few seconds at most. The store must still be open. */
  close(): Promise<void>;
}

/** The type of the event of a message that the SMTP server did not accept. */
export const relayFailed = "relay_failed";

/** Messages stay in the store. */
export const noOutbound: Outbound = {
  send: () => {},
  settled: async () => {},
  reset: (resetStore) => resetStore({}),
  smtp: null,
  close: async () => {},
};
