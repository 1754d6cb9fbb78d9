import type { RejectedRecipient } from "../domain/relay.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** What became of an attempt. */
export type Attempt =
  /** The server has the message, for all recipients but those it refused. */
  | { kind: "accepted"; refused: RejectedRecipient[] }
  /** The server refused it, for all recipients: for good with a code from 500 on. */
  | { kind: "refused"; code: number; words: string; refused: RejectedRecipient[] }
  /** The server does not have it: it could not be reached, or the connection broke before it had all of it. */
  | { kind: "failed"; words: string }
  /** It broke off when the server may have had all of it. */
  | { kind: "unknown"; words: string };

/** What nodemailer's errors carry. */
export type SmtpError = Error & {
  responseCode?: number | undefined;
  response?: string | undefined;
  code?: string | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
};

/** What the server said about a recipient, without the password. */
export function rejectedRecipient(server: SmtpServer, error: SmtpError): RejectedRecipient {
  return {
    address: error.recipient ?? "",
    code: error.responseCode ?? 0,
    words: server.redact(error.response ?? error.message),
    alone: true,
  };
}

/**
 * What an attempt came to that ended with an error.
 *
 * @param allTaken whether the last byte of the message had been given to the connection
 */
export function failedAttempt(server: SmtpServer, error: SmtpError, allTaken: boolean): Attempt {
  const words = server.redact(error.response || error.message);
  const refused = (error.rejectedErrors ?? []).map((each) => rejectedRecipient(server, each));
  // Wrong credentials, and a server that goes away (421), say nothing about the message.
  const aboutMessage = error.code === "EENVELOPE" || error.code === "EMESSAGE";
  if (aboutMessage) return { kind: "refused", code: error.responseCode ?? 550, words, refused };
  return allTaken ? { kind: "unknown", words } : { kind: "failed", words };
}
