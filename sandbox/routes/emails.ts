import type { RequestContext, Services, Success } from "../api/context.ts";
import { type ErrorOf, type ErrorResponse, fieldErrors, invalidFields } from "../api/error-response.ts";
import { type Draft, newMessage } from "../domain/new-message.ts";
import { countRecipients, type SplitRecipients, splitRecipients } from "../domain/recipients.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
import { writeTime } from "../domain/times.ts";
import { tooLarge } from "../middleware/body.ts";
import { overfull } from "../validation/bulk.ts";
import { sendFaults } from "../validation/send.ts";
import { draftOf } from "./draft.ts";
import { fetchFiles } from "./files.ts";
import { allSuppressed, checkSending, mailRules, take } from "./taking.ts";

/** POST /api/v1/emails: takes one message, for now or for later. */
export async function sendEmail(
  exchange: RequestContext,
  parts: Services,
): Promise<Success | ErrorResponse<ErrorOf<"sendEmail">>> {
  const body = exchange.body as Record<string, unknown>;
  const bytes = exchange.request.body?.length ?? 0;
  // Only a large body can hold a large message; the size comes first, for checking megabytes for anything else is slow.
  if (bytes > largestMessage && requestedSize(body) > largestMessage) return tooLarge;
  const tooMany = overfull(body, bytes);
  const misshapen = tooMany.length > 0 ? tooMany : sendFaults(body);
  const draft = draftOf(body, misshapen, exchange, parts, "");
  if (!("recipients" in draft)) return invalidFields(fieldErrors(draft));
  const refusal = checkSending(draft, exchange, parts, "");
  if (refusal !== undefined) return refusal;
  const missing = await fetchFiles(draft, parts);
  if (missing !== undefined) return missing;
  return take(exchange, parts, [draft], (suppressed) => decide(draft, exchange, parts, suppressed));
}

function decide(
  draft: Draft,
  exchange: RequestContext,
  parts: Services,
  suppressed: ReadonlySet<string>,
): Decision {
  const split = splitRecipients(draft.recipients, suppressed);
  const count = countRecipients(split);
  if (count === 0) return { error: allSuppressed("") };
  const { now, account } = exchange;
  const scheduled = draft.scheduledAt !== null;
  const id = scheduled ? parts.ids.scheduled(now) : parts.ids.message(now);
  const message = newMessage(draft, { id, accountId: account.id, now, recipients: split }, mailRules(parts));
  const body = JSON.stringify(scheduled ? scheduledAnswer(id, draft, split) : acceptedAnswer(id, split));
  return { messages: [message], counted: scheduled ? 0 : count, response: { status: 202, body } };
}

const acceptedAnswer = (id: string, split: SplitRecipients) => ({
  id,
  to: split.to,
  suppressed: split.suppressed,
});

const scheduledAnswer = (id: string, draft: Draft, split: SplitRecipients) => ({
  id,
  scheduled_at: writeTime(draft.scheduledAt ?? 0),
  suppressed: split.suppressed,
});
