import { limits } from "../../generated/limits.ts";
import type { RequestContext, Services, Success } from "../api/context.ts";
import {
  type ErrorOf,
  ErrorResponse,
  fieldErrors,
  invalidField,
  invalidFields,
} from "../api/error-response.ts";
import { type Draft, newMessage } from "../domain/new-message.ts";
import { countRecipients, splitRecipients } from "../domain/recipients.ts";
import type { Message } from "../domain/records.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
import { isObject, tooLarge } from "../middleware/body.ts";
import { overfull } from "../validation/bulk.ts";
import type { FieldFault } from "../validation/field-errors.ts";
import { batchMessageFaults } from "../validation/send.ts";
import { draftOf } from "./draft.ts";
import { allSuppressed, checkSending, mailRules, take } from "./taking.ts";

/** The status of a batch that was taken; the service does not say which of the 2xx it is. */
const taken = 202;

/** POST /api/v1/emails/batch: takes all messages or none, in their order. */
export async function sendBatch(
  exchange: RequestContext,
  parts: Services,
): Promise<Success | ErrorResponse<ErrorOf<"sendBatch">>> {
  const emails = emailsOf(exchange.body as Record<string, unknown>);
  if (emails instanceof ErrorResponse) return emails;
  const bytes = exchange.request.body?.length ?? 0;
  if (bytes > largestMessage && emails.some(isTooLarge)) return tooLarge;
  const drafts = draftsOf(emails, bytes, exchange, parts);
  if (drafts instanceof ErrorResponse) return drafts;
  for (const [index, draft] of drafts.entries()) {
    const refusal = checkSending(draft, exchange, parts, `emails.${index}: `);
    if (refusal !== undefined) return refusal;
  }
  return take(exchange, parts, drafts, (suppressed) => decide(drafts, exchange, parts, suppressed));
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

/** All messages are checked before any is taken, and every fault is told. */
function draftsOf(
  emails: readonly unknown[],
  bytes: number,
  exchange: RequestContext,
  parts: Services,
): Draft[] | ErrorResponse<"422.invalid_request"> {
  const drafts: Draft[] = [];
  const faults: FieldFault[] = [];
  for (const [index, email] of emails.entries()) {
    const prefix = `emails.${index}.`;
    const misshapen = faultsOfOne(email, bytes, prefix);
    const draft = isObject(email) ? draftOf(email, misshapen, exchange, parts, prefix) : misshapen;
    if ("recipients" in draft) drafts.push(draft);
    else for (const fault of draft) faults.push(fault);
  }
  return faults.length > 0 ? invalidFields(fieldErrors(faults)) : drafts;
}

function faultsOfOne(email: unknown, bytes: number, prefix: string): readonly FieldFault[] {
  const tooMany = isObject(email) ? overfull(email, bytes) : [];
  if (tooMany.length > 0) return tooMany.map(([name, sentence]) => [prefix + name, sentence]);
  return batchMessageFaults(email, prefix);
}

function decide(
  drafts: readonly Draft[],
  exchange: RequestContext,
  parts: Services,
  suppressed: ReadonlySet<string>,
): Decision {
  const { now, account } = exchange;
  const splits = drafts.map((draft) => splitRecipients(draft.recipients, suppressed));
  const empty = splits.findIndex((split) => countRecipients(split) === 0);
  if (empty >= 0) return { error: allSuppressed(`emails.${empty}: `) };
  const rules = mailRules(parts);
  const messages: Message[] = [];
  const data: { id: string; suppressed: string[] }[] = [];
  let counted = 0;
  for (const [index, draft] of drafts.entries()) {
    const split = splits[index];
    if (split === undefined) continue;
    const id = parts.ids.scheduled(now);
    messages.push(newMessage(draft, { id, accountId: account.id, now, recipients: split }, rules));
    data.push({ id, suppressed: split.suppressed });
    counted += countRecipients(split);
  }
  return { messages, counted, response: { status: taken, body: JSON.stringify({ data }) } };
}
