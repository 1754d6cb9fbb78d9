import { headers } from "../../generated/headers.ts";
import type { Download, RequestContext, Services, Success } from "../api/context.ts";
import { type ErrorOf, ErrorResponse, errorResponse, invalidFields } from "../api/error-response.ts";
import type { MailRules } from "../domain/due.ts";
import { type Draft, newMessage } from "../domain/new-message.ts";
import type { OutboundBatch } from "../domain/outbound.ts";
import { countRecipients, type SplitRecipients, splitRecipients } from "../domain/recipients.ts";
import type { Message } from "../domain/records.ts";
import { senderFault } from "../domain/sender.ts";
import { largestMessage, messageSize } from "../domain/size.ts";
import type { Decision } from "../domain/writes.ts";
import { fetchLinks } from "../mail/links.ts";
import { tooLarge } from "../middleware/body.ts";
import { replay } from "../middleware/idempotency.ts";

/** The rows of the error table that both sends can return. */
export type SendError = ErrorOf<"sendEmail"> & ErrorOf<"sendBatch">;

/** Seconds until a retry at the sending ceiling. When it is lifted is unspecified. */
const ceilingWait = { [headers.OptionalRetryAfter.name]: "3600" };

/**
 * Rejects a message that is too large, or that this key and account must not send.
 *
 * @param label names the message in a batch: `emails.2: `
 */
export function checkSending(
  draft: Draft,
  { account, key }: RequestContext,
  { directory }: Services,
  label: string,
): ErrorResponse<SendError> | undefined {
  if (messageSize(draft.content) > largestMessage) return tooLarge;
  const fault = senderFault(draft.from, key, account, directory.domains(account.id));
  if (fault === undefined) return undefined;
  const sent = fault.id === "429.send_rejected" ? ceilingWait : null;
  return errorResponse(fault.id, label + fault.message, sent);
}

/** Downloads the linked attachments of a message, and replaces the links by the files. */
export async function fetchFiles(
  { content }: Draft,
  download: Download,
): Promise<ErrorResponse<"413.send_rejected" | "422.invalid_request"> | undefined> {
  if (!content.attachments.some((attachment) => "path" in attachment)) return undefined;
  const fetched = await fetchLinks(content.attachments, download, largestMessage - messageSize(content));
  if ("attachments" in fetched) {
    content.attachments = fetched.attachments;
    return undefined;
  }
  return fetched.tooLarge ? tooLarge : invalidFields(Object.entries(fetched.problems));
}

/** How the messages of a request are accepted. */
interface AcceptOptions {
  /** Creates the id of a message. */
  idOf(draft: Draft): string;
  /** The body of the response to the accepted messages. */
  render(accepted: readonly AcceptedMessage[]): object;
  /** Names a message in a batch: `emails.2: `. */
  labelOf?(index: number): string;
}

/** A message to store, and the recipients that it was not sent to. */
interface AcceptedMessage {
  message: Message;
  suppressed: string[];
}

/** Stores all messages or none, once per idempotency key, and sends them. The response is 202; for a batch, which 2xx it is is unspecified. */
export async function accept(
  context: RequestContext,
  services: Services,
  drafts: readonly Draft[],
  options: AcceptOptions,
): Promise<Success | ErrorResponse<SendError>> {
  const { account, now, idempotency } = context;
  const { store, outbound } = services;
  const recipients = recipientsOf(drafts);
  const batch = outbound.createBatch();
  const outcome = await store.accept({
    accountId: account.id,
    now,
    recipients,
    idempotency,
    decide(suppressed) {
      batch.rollback();
      return decide(drafts, suppressed, context, services, batch, options);
    },
  });
  if ("replay" in outcome) return replay(outcome.replay, idempotency, await store.used(account.id, now));
  if ("response" in outcome) {
    batch.commit();
    return { status: outcome.response.status, body: outcome.response.body, used: outcome.used };
  }
  if (outcome.error instanceof ErrorResponse) return outcome.error;
  throw new Error("The store rejected messages without an error response.");
}

function decide(
  drafts: readonly Draft[],
  suppressed: ReadonlySet<string>,
  { account, now }: RequestContext,
  services: Services,
  batch: OutboundBatch,
  { idOf, render, labelOf = () => "" }: AcceptOptions,
): Decision {
  const rules = mailRules(services);
  const splits = drafts.map(({ recipients }) => splitRecipients(recipients, suppressed));
  const empty = splits.findIndex((split) => countRecipients(split) === 0);
  if (empty >= 0)
    return {
      error: errorResponse("422.send_rejected", `${labelOf(empty)}Sending to every recipient has stopped.`),
    };
  let counted = 0;
  const accepted = drafts.map((draft, index) => {
    const recipients = splits[index] as SplitRecipients;
    // A scheduled message counts once it is sent.
    if (draft.scheduledAt === null) counted += countRecipients(recipients);
    const message = newMessage(draft, { id: idOf(draft), accountId: account.id, now, recipients }, rules);
    batch.add(message);
    return { message, suppressed: recipients.suppressed };
  });
  return {
    messages: accepted.map(({ message }) => message),
    counted,
    response: { status: 202, body: JSON.stringify(render(accepted)) },
  };
}

/** The email addresses of all recipients, in lower case. */
function recipientsOf(drafts: readonly Draft[]): string[] {
  const addresses: string[] = [];
  for (const { recipients } of drafts) {
    for (const address of recipients.to) addresses.push(address.toLowerCase());
    for (const address of recipients.cc) addresses.push(address.toLowerCase());
    for (const address of recipients.bcc) addresses.push(address.toLowerCase());
  }
  return addresses;
}

export function mailRules({ directory, delays }: Services): MailRules {
  return { simulatorDomain: directory.simulatorDomain, delays };
}
