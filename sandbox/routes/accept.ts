import { headers } from "../../generated/headers.ts";
import type { RequestContext, Services, Success } from "../api/context.ts";
import { type ErrorOf, ErrorResponse, errorResponse, invalidFields } from "../api/error-response.ts";
import type { MailRules } from "../domain/due.ts";
import type { Draft } from "../domain/new-message.ts";
import { senderFault } from "../domain/sender.ts";
import { largestMessage, messageSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
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

/** The response to a message without a recipient that is not suppressed. */
export function allSuppressed(label: string): ErrorResponse<"422.send_rejected"> {
  return errorResponse("422.send_rejected", `${label}Sending to every recipient has stopped.`);
}

/** Downloads the linked attachments of a message if downloads are enabled, and replaces the links by the files. */
export async function fetchFiles(
  { content }: Draft,
  { download }: Services,
): Promise<ErrorResponse<"413.send_rejected" | "422.invalid_request"> | undefined> {
  if (download === undefined || !content.attachments.some((attachment) => "path" in attachment))
    return undefined;
  const fetched = await fetchLinks(content.attachments, download, largestMessage - messageSize(content));
  if ("attachments" in fetched) {
    content.attachments = fetched.attachments;
    return undefined;
  }
  return fetched.tooLarge ? tooLarge : invalidFields(Object.entries(fetched.problems));
}

/** Stores all messages or none, once per idempotency key, and sends them. */
export async function accept(
  { account, now, idempotency }: RequestContext,
  { store, outbound }: Services,
  drafts: readonly Draft[],
  decide: (suppressed: ReadonlySet<string>) => Decision,
): Promise<Success | ErrorResponse<SendError>> {
  const recipients = recipientsOf(drafts);
  const batch = outbound.begin();
  const outcome = await store.accept({
    accountId: account.id,
    now,
    recipients,
    idempotency,
    decide(suppressed) {
      const decision = decide(suppressed);
      if ("messages" in decision) decision.messages = decision.messages.map((message) => batch.send(message));
      return decision;
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
