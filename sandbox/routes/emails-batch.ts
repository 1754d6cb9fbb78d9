import { limits } from "../../generated/limits.ts";
import type { Outcome, RequestContext, Services } from "../api/context.ts";
import { ErrorResponse, invalidField, invalidFields } from "../api/error-response.ts";
import { type Draft, newMessage } from "../domain/new-message.ts";
import { countRecipients, splitRecipients } from "../domain/recipients.ts";
import type { Message } from "../domain/records.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
import { isObject, tooLarge } from "../middleware/body.ts";
import { overfull } from "../validation/bulk.ts";
import type { FieldFault } from "../validation/field-errors.ts";
import { batchMessageFaults } from "../validation/send.ts";
import { accept, allSuppressed, checkSending, mailRules } from "./accept.ts";
import { draftOf } from "./draft.ts";

/** The status of an accepted batch; which 2xx it is is unspecified. */
const accepted = 202;

/** POST /api/v1/emails/batch: accepts all messages or none, in their order. */
export async function sendBatch(context: RequestContext, services: Services): Promise<Outcome<"sendBatch">> {
  const emails = emailsOf(context.body as Record<string, unknown>);
  if (emails instanceof ErrorResponse) return emails;
  const bytes = context.request.body?.length ?? 0;
  if (bytes > largestMessage && emails.some(isTooLarge)) return tooLarge;
  const drafts = draftsOf(emails, bytes, context, services);
  if (drafts instanceof ErrorResponse) return drafts;
  for (const [index, draft] of drafts.entries()) {
    const error = checkSending(draft, context, services, `emails.${index}: `);
    if (error !== undefined) return error;
  }
  return accept(context, services, drafts, (suppressed) => decide(drafts, context, services, suppressed));
}

const isTooLarge = (message: unknown): boolean =>
  isObject(message) && requestedSize(message) > largestMessage;

function emailsOf(body: Record<string, unknown>): unknown[] | ErrorResponse<"422.invalid_request"> {
  const { emails } = body;
  const { batchMessages, batchMessagesMinimum } = limits;
  if (emails === undefined) return invalidField("emails", "Is required.");
  if (!Array.isArray(emails)) return invalidField("emails", "Must be a list.");
  if (emails.length < batchMessagesMinimum) {
    return invalidField("emails", `Must have at least ${batchMessagesMinimum} entry.`);
  }
  if (emails.length > batchMessages) {
    return invalidField("emails", `Must not have more than ${batchMessages} entries.`);
  }
  return emails;
}

/** Validates all messages and reports every fault. */
function draftsOf(
  emails: readonly unknown[],
  bytes: number,
  context: RequestContext,
  services: Services,
): Draft[] | ErrorResponse<"422.invalid_request"> {
  const drafts: Draft[] = [];
  const faults: FieldFault[] = [];
  for (const [index, email] of emails.entries()) {
    const prefix = `emails.${index}.`;
    const misshapen = faultsOfOne(email, bytes, prefix);
    const draft = isObject(email) ? draftOf(email, misshapen, context, services, prefix) : misshapen;
    if ("recipients" in draft) drafts.push(draft);
    else for (const fault of draft) faults.push(fault);
  }
  return faults.length > 0 ? invalidFields(faults) : drafts;
}

function faultsOfOne(email: unknown, bytes: number, prefix: string): readonly FieldFault[] {
  const tooMany = isObject(email) ? overfull(email, bytes) : [];
  if (tooMany.length > 0) return tooMany.map(([name, sentence]) => [prefix + name, sentence]);
  return batchMessageFaults(email, prefix);
}

function decide(
  drafts: readonly Draft[],
  context: RequestContext,
  services: Services,
  suppressed: ReadonlySet<string>,
): Decision {
  const { now, account } = context;
  const splits = drafts.map((draft) => splitRecipients(draft.recipients, suppressed));
  const empty = splits.findIndex((split) => countRecipients(split) === 0);
  if (empty >= 0) return { error: allSuppressed(`emails.${empty}: `) };
  const rules = mailRules(services);
  const messages: Message[] = [];
  const data: { id: string; suppressed: string[] }[] = [];
  let counted = 0;
  for (const [index, draft] of drafts.entries()) {
    const split = splits[index];
    if (split === undefined) continue;
    const id = services.ids.scheduled(now);
    messages.push(newMessage(draft, { id, accountId: account.id, now, recipients: split }, rules));
    data.push({ id, suppressed: split.suppressed });
    counted += countRecipients(split);
  }
  return { messages, counted, response: { status: accepted, body: JSON.stringify({ data }) } };
}
