import type { RejectedRecipient } from "../domain/relay.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** The result of an attempt to send a message. Texts do not contain the password. */
export type Attempt =
  /** The server accepted the message for all recipients but the rejected ones. */
  | { kind: "accepted"; rejected: RejectedRecipient[] }
  /** The server rejected the message for all recipients; permanently with a code of 500 or more. */
  | { kind: "rejected"; code: number; reply: string; rejected: RejectedRecipient[] }
  /** The server does not have the message: it was unreachable, or the connection was lost before the end of the message. */
  | { kind: "failed"; reply: string }
  /** The connection was lost when the server may have had the whole message. */
  | { kind: "unknown"; reply: string };

/** The properties of nodemailer's errors. */
export type SmtpError = Error & {
  responseCode?: number | undefined;
  response?: string | undefined;
  code?: string | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpError[] | undefined;
};

export const rejectedRecipients = (server: SmtpServer, errors: SmtpError[] = []): RejectedRecipient[] =>
  errors.map(({ recipient = "", responseCode = 0, response, message }) => ({
    address: recipient,
    code: responseCode,
    reply: server.redact(response ?? message),
    alone: true,
  }));

/**
 * The result of an attempt that ended with an error.
 *
 * @param allTaken whether the connection had taken the last byte of the message
 */
export function failedAttempt(server: SmtpServer, error: SmtpError, allTaken: boolean): Attempt {
  const { code, responseCode = 550, rejectedErrors } = error;
  const reply = server.redact(error.response || error.message);
  // Other errors, such as wrong credentials or 421, are not about the message.
  if (code === "EENVELOPE" || code === "EMESSAGE")
    return {
      kind: "rejected",
      code: responseCode,
      reply,
      rejected: rejectedRecipients(server, rejectedErrors),
    };
  return { kind: allTaken ? "unknown" : "failed", reply };
}
