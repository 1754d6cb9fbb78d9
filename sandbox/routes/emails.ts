import type { Outcome, RequestContext, Services } from "../api/context.ts";
import { invalidFields } from "../api/error-response.ts";
import { type Draft, newMessage } from "../domain/new-message.ts";
import { countRecipients, type SplitRecipients, splitRecipients } from "../domain/recipients.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
import { writeTime } from "../domain/times.ts";
import { tooLarge } from "../middleware/body.ts";
import { overfull } from "../validation/bulk.ts";
import { sendFaults } from "../validation/send.ts";
import { accept, allSuppressed, checkSending, fetchFiles, mailRules } from "./accept.ts";
import { draftOf } from "./draft.ts";

/** POST /api/v1/emails: sends or schedules a message. */
export async function sendEmail(context: RequestContext, services: Services): Promise<Outcome<"sendEmail">> {
  const body = context.body as Record<string, unknown>;
  const bytes = context.request.body?.length ?? 0;
  // The size comes first, since validating megabytes is slow. Only a large body can hold a large message.
  if (bytes > largestMessage && requestedSize(body) > largestMessage) return tooLarge;
  const tooMany = overfull(body, bytes);
  const misshapen = tooMany.length > 0 ? tooMany : sendFaults(body);
  const draft = draftOf(body, misshapen, context, services, "");
  if (!("recipients" in draft)) return invalidFields(draft);
  const error = checkSending(draft, context, services, "") ?? (await fetchFiles(draft, services));
  if (error !== undefined) return error;
  return accept(context, services, [draft], (suppressed) => decide(draft, context, services, suppressed));
}

function decide(
  draft: Draft,
  context: RequestContext,
  services: Services,
  suppressed: ReadonlySet<string>,
): Decision {
  const split = splitRecipients(draft.recipients, suppressed);
  const count = countRecipients(split);
  if (count === 0) return { error: allSuppressed("") };
  const { now, account } = context;
  const scheduled = draft.scheduledAt !== null;
  const id = scheduled ? services.ids.scheduled(now) : services.ids.message(now);
  const message = newMessage(
    draft,
    { id, accountId: account.id, now, recipients: split },
    mailRules(services),
  );
  const body = JSON.stringify(scheduled ? scheduledBody(id, draft, split) : sentBody(id, split));
  return { messages: [message], counted: scheduled ? 0 : count, response: { status: 202, body } };
}

const sentBody = (id: string, split: SplitRecipients) => ({
  id,
  to: split.to,
  suppressed: split.suppressed,
});

const scheduledBody = (id: string, draft: Draft, split: SplitRecipients) => ({
  id,
  scheduled_at: writeTime(draft.scheduledAt ?? 0),
  suppressed: split.suppressed,
});
