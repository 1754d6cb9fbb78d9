import { limits } from "../../generated/limits.ts";
import { isObject } from "../../lib/objects.ts";
import type { Outcome, RequestContext, Services } from "../api/context.ts";
import { ErrorResponse, invalidField, invalidFields } from "../api/error-response.ts";
import type { Draft } from "../domain/new-message.ts";
import { largestMessage, requestedSize } from "../domain/size.ts";
import { tooLarge } from "../middleware/body.ts";
import { withoutSurplus } from "../validation/bulk.ts";
import type { FieldFault } from "../validation/field-errors.ts";
import { batchMessageFaults } from "../validation/send.ts";
import { accept, checkSending } from "./accept.ts";
import { draftOf } from "./draft.ts";

/** POST /api/v1/emails/batch: accepts all messages or none, in their order. */
export async function sendBatch(context: RequestContext, services: Services): Promise<Outcome<"sendBatch">> {
  const emails = emailsOf(context.body as Record<string, unknown>);
  if (emails instanceof ErrorResponse) return emails;
  const { bytes } = context;
  if (bytes > largestMessage && emails.some(isTooLarge)) return tooLarge;
  const drafts = draftsOf(emails, context, services);
  if (drafts instanceof ErrorResponse) return drafts;
  for (const [index, draft] of drafts.entries()) {
    const error = checkSending(draft, context, services, `emails.${index}: `);
    if (error !== undefined) return error;
  }
  return accept(context, services, drafts, {
    idOf: () => services.ids.scheduled(context.now),
    render: (accepted) => ({
      data: accepted.map(({ message, suppressed }) => ({ id: message.id, suppressed })),
    }),
    labelOf: (index) => `emails.${index}: `,
  });
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
  context: RequestContext,
  services: Services,
): Draft[] | ErrorResponse<"422.invalid_request"> {
  const drafts: Draft[] = [];
  const faults: FieldFault[] = [];
  for (const [index, email] of emails.entries()) {
    const prefix = `emails.${index}.`;
    const checked = isObject(email) ? withoutSurplus(email, context.bytes) : email;
    const misshapen = batchMessageFaults(checked, prefix);
    const draft = isObject(email) ? draftOf(email, misshapen, context, services, prefix) : misshapen;
    if ("recipients" in draft) drafts.push(draft);
    else for (const fault of draft) faults.push(fault);
  }
  return faults.length > 0 ? invalidFields(faults) : drafts;
}
