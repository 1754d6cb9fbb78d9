/** The SMTP server's reply about one recipient that it rejected. */
export interface RejectedRecipient {
  address: string;
  code: number;
  /** The reply text, without the password. */
  reply: string;
  /** Whether the server rejected this recipient, rather than the message. */
  alone: boolean;
}

/** Whether an instance is relaying the message. */
export const isClaimed = (relay: RelayState | undefined): relay is RelayState =>
  relay?.state === "claimed" || relay?.state === "sending";

/** How far the relay to the SMTP server has come; stored with the message. */
export interface RelayState {
  /**
   * `claimed` from when an attempt is planned until the server is ready for the message. `sending` from before the first byte leaves
   * until the server's reply is known: after a crash in this state the server may have the message, so it is never relayed again and its
   * state becomes `unknown`. While it is `claimed` or `sending`, `dueAt` of the message is a lease.
   */
  state: "waiting" | "claimed" | "sending" | "done" | "unknown";
  /** Which instance has claimed it last. */
  holder?: string;
  /** When the claim ends unless it is renewed, in milliseconds of the real time: the instance may have been killed. */
  heldUntil?: number;
  /** Attempts that started to connect. */
  attempts: number;
  /** The recipients for whom the server has not accepted the message yet. */
  pending: string[];
  /** The recipients that were rejected for good. */
  rejected: RejectedRecipient[];
  /** The server's reply or the error of the last failed attempt, without the password. */
  reply?: string;
}
