/** The largest mail that is read, in bytes. A message of the service has at most 28 MB, before encoding. */
export const largestMail = 64 * 1024 * 1024;

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
