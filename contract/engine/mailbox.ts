import { limits } from "../../generated/limits.ts";

/** The largest mail that is read, in bytes: base64 makes the largest message a third larger. */
export const largestMail = 2 * limits.messageSize * 1024 * 1024;

/** Where the mail of the server under test arrives. */
export interface Mailbox {
  /** Whether it adds the hidden recipients of a message to its header Bcc by itself; default: no. */
  addsBcc?: boolean;
  /** The messages to an email address so far as MIME, in the order of their arrival. */
  messagesTo(recipient: string): Promise<Uint8Array[]>;
  /** Whether no message at all has arrived: the server does not send its mail here. */
  isEmpty(): Promise<boolean>;
  close(): Promise<void>;
}
